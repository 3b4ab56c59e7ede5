import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { createWorld, type World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";

/** One project with many goals, each with lanes of a few of the agents. */
export interface SoakWorld {
  readonly world: World;
  /** The flag that names the owner's token. */
  readonly ownerFlag: string;
  readonly goals: readonly SoakGoal[];
}

export interface SoakGoal {
  readonly goalId: string;
  readonly agents: readonly string[];
  /** The goal's whole budget in turns; null where it has none. */
  readonly totalTurns: number | null;
}

const LANES = ["lane-a", "lane-b", "lane-c"];
const TEMPLATE = "template-goal";
/** Every fourth goal may take so many turns. */
const SMALL_BUDGET = 4;

/** Makes one goal by commands, and the others from its export: two thousand commands would be most of the test. */
export async function createSoakWorld(size: { readonly agents: number; readonly goals: number }): Promise<SoakWorld> {
  const world = createWorld();
  await world.call(["bootstrap", "--objective=Ship the importer", `--goal-id=${TEMPLATE}`]);
  const goal = `--goal-id=${TEMPLATE}`;
  for (const lane of LANES) await world.call(["register-agent", goal, `--agent-id=${lane}`, "--execute"]);
  for (const text of ["Write the parser", "Write the printer", "Document both"])
    await world.call(["todo", "add", goal, "--agent-id=lane-a", `--text=${text}`]);
  const ownerFlag = `--owner-token-file=${await createOwnerToken(world)}`;
  // The shortest there is: what a killed agent held is another's a minute later.
  await world.call(["config", "set", "--key=lease.ttl", "--value=1m", ownerFlag]);
  const lines = readField(await world.call(["export", goal]), "lines");
  if (!Array.isArray(lines)) throw new Error("export gave no lines");
  const [head = "", ...rest] = lines.map(String);
  const rows = rest.slice(0, -1);
  const goals = Array.from({ length: size.goals }, (_, index) => nameGoal(index, size.agents));
  const copies = goals.flatMap((each, index) => rows.map((row) => copyRow(row, each, index)));
  const file = join(world.directory, "goals.jsonl");
  writeFileSync(file, [head, ...copies, JSON.stringify({ end: true, rows: copies.length }), ""].join("\n"));
  await world.call(["import", `--input=${file}`, "--execute", ownerFlag]);
  return { world, ownerFlag, goals };
}

function nameGoal(index: number, agentCount: number): SoakGoal {
  const agents = LANES.map((_, lane) => `agent-${(index * LANES.length + lane) % agentCount}`);
  const goalId = `goal-${String(index).padStart(3, "0")}`;
  return { goalId, agents: [...new Set(agents)], totalTurns: index % 4 === 3 ? SMALL_BUDGET : null };
}

/** Ids of todos are random words, so an end of its own makes each another's. */
function copyRow(row: string, goal: SoakGoal, index: number): string {
  const named = LANES.reduce(
    (text, lane, at) => text.replaceAll(lane, goal.agents[at] ?? ""),
    row.replaceAll(TEMPLATE, goal.goalId),
  );
  const own = named.replaceAll(/todo_[a-z0-9]{12,}/g, (id) => `${id.slice(0, -3)}${String(index).padStart(3, "0")}`);
  if (goal.totalTurns === null) return own;
  return own.replaceAll(/(\\?"budget_total_turns\\?":)null/g, `$1${goal.totalTurns}`);
}
