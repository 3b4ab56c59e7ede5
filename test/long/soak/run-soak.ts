import { setTimeout as pause } from "node:timers/promises";
import { loadProjectState } from "../../support/project-state.ts";
import { startWorkstation, type WorkstationServer } from "../../support/workstation-server.ts";
import { concludeSoak, type SoakOutcome } from "./conclude-soak.ts";
import { createRandom } from "./create-random.ts";
import { createSoakWorld, type SoakWorld } from "./create-soak-world.ts";
import { createGauge, type Gauge } from "./measure-soak.ts";
import { createSoakCommands, type SoakCommands } from "./run-soak-command.ts";
import { createSoakRecord, type SoakRecord } from "./soak-record.ts";
import { workSoakTurn } from "./work-soak-turn.ts";

export interface SoakOptions {
  readonly agents: number;
  readonly goals: number;
  readonly seconds: number;
  readonly seed: number;
  /** What agents and owner run, where that is not the CLI under test; the goals are made and looked at by that one. */
  readonly program?: string;
}

interface Soak extends SoakWorld {
  readonly options: SoakOptions;
  readonly record: SoakRecord;
  readonly commands: SoakCommands;
  readonly random: () => number;
  readonly server: WorkstationServer;
  readonly gauge: Gauge;
  readonly endsAt: number;
}

/**
 * Agents, each a loop of real programs, work goals of one project for a time while programs are killed, an owner decides
 * gates and compacts some goals, and a Workstation looks on. Then the store is held against what the programs had said.
 */
export async function runSoak(options: SoakOptions): Promise<SoakOutcome> {
  const soakWorld = await createSoakWorld(options);
  const { world } = soakWorld;
  const server = await startWorkstation(world, { flags: [soakWorld.ownerFlag] });
  try {
    const record = createSoakRecord();
    const random = createRandom(options.seed);
    const commands = createSoakCommands({ ...world, program: options.program ?? world.program }, record, random);
    const before = await loadProjectState(world);
    const gauge = await createGauge(world, server.pid);
    const endsAt = performance.now() + options.seconds * 1_000;
    const soak: Soak = { ...soakWorld, options, record, commands, random, server, gauge, endsAt };
    const agents = Array.from({ length: options.agents }, (_, index) => workAgent(soak, `agent-${index}`));
    await Promise.all([...agents, decideGates(soak), compactSome(soak), lookOn(soak)]);
    await gauge.take();
    return await concludeSoak({ ...soakWorld, record, gauge, commands }, before);
  } finally {
    await server.stop();
    world.remove();
  }
}

async function workAgent(soak: Soak, agentId: string): Promise<void> {
  const { record, commands, random } = soak;
  const own = soak.goals.filter(({ agents }) => agents.includes(agentId));
  while (performance.now() < soak.endsAt && own.length > 0) {
    const goal = own[Math.floor(random() * own.length)];
    if (goal === undefined) return;
    const worker = { agentId, goal, commands, record, random };
    // An agent that was killed is started again at what it did, mostly.
    while ((await workSoakTurn(worker)) && performance.now() < soak.endsAt && random() < 0.9);
  }
}

async function decideGates({ endsAt, record, commands, ownerFlag }: Soak): Promise<void> {
  while (performance.now() < endsAt) {
    const [key] = [...record.gates].find(([, isDecided]) => !isDecided) ?? [];
    if (key === undefined) await pause(500);
    else {
      const [goalId = "", gateId = ""] = key.split("/");
      const words = ["gate", "decide", `--goal-id=${goalId}`, `--gate-id=${gateId}`, "--decision=approve", ownerFlag];
      if ((await commands.run(words))?.isOk === true) record.gates.set(key, true);
    }
  }
}

const COMPACTED_GOALS = 3;

async function compactSome({ endsAt, goals, commands, ownerFlag, random }: Soak): Promise<void> {
  while (performance.now() < endsAt) {
    const goal = goals[Math.floor(random() * Math.min(COMPACTED_GOALS, goals.length))];
    await commands.run(["gc", `--goal-id=${goal?.goalId ?? ""}`, "--keep-events=8", "--execute", ownerFlag]);
    await pause(1_500);
  }
}

/** A page that is open all the time. */
async function lookOn({ endsAt, server, gauge }: Soak): Promise<void> {
  const cookie = await server.signIn();
  const events = await server.follow(cookie);
  events.ended.catch(() => undefined);
  for (let round = 0; performance.now() < endsAt; round += 1) {
    await server.ask("/api/overview?since=2020-01-01T00:00:00Z", { headers: { cookie } });
    if (round % 5 === 0) await gauge.take();
    await pause(1_000);
  }
  events.close();
}
