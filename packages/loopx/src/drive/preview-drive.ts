import { formatDuration, fromRefusal, redact, refuse } from "@loopx/contracts";
import {
  decideNext,
  findAgent,
  findContextAttachment,
  findTodo,
  loadDecisionFacts,
  loadGoal,
  refuseNotAttached,
  type Decision,
} from "@loopx/control-plane";
import type { ContextQuestion } from "../goal-context/fetch-context.ts";
import type { PlannedFetch } from "../goal-context/plan-fetch.ts";
import type { CommandResult } from "../output/command-result.ts";
import { joinLines, renderFacts } from "../packets/render-facts.ts";
import { unwrap } from "../packets/unwrap.ts";
import { assertTrusted } from "../project/assert-trusted.ts";
import { withGoal } from "../project/resolve-project.ts";
import { decideStep } from "./decide-step.ts";
import type { Driver } from "./driver.ts";

/** What a drive would do now. Opens no turn, starts nothing, writes nothing. */
export async function previewDrive(driver: Driver): Promise<CommandResult> {
  const { goalId, agentId, globals, ambient, limits, command } = driver;
  const now = ambient.now();
  const { decision, turn, question } = await withGoal({ globals, ambient, goalId }, "read", async (project) => {
    await assertTrusted(project, ambient);
    return project.database.read(async (tx) => {
      const { goal } = unwrap(await loadGoal(tx, goalId));
      if ((await findAgent(tx, goalId, agentId)) === undefined) {
        throw fromRefusal(refuse("unknown_agent", { message: "the agent is not registered in this goal" }));
      }
      const holder = { turnId: driver.resumes ?? null, label: driver.driverId };
      const facts = await loadDecisionFacts(tx, goal, { agentId, holder }, now);
      const { decision: decided } = decideNext(facts, now);
      return {
        decision: decided,
        turn: facts.openTurn,
        question: await findQuestion(tx, driver, decided, project.root),
      };
    });
  });
  const fetch =
    question && (await import("../goal-context/plan-fetch.ts").then((it) => it.planFetch(question, ambient)));
  const step = decideStep({ decision, turn }, undefined, now);
  const packet = {
    ok: true,
    schema_version: "loopx_drive_v0",
    dry_run: true,
    goal_id: goalId,
    agent_id: agentId,
    decision: decision.kind,
    ...readReason(decision),
    would: step.kind,
    ...(step.kind === "wait" ? { wait_seconds: Math.ceil(step.ms / 1000) } : {}),
    ...(fetch === undefined ? {} : { would_fetch: fetch }),
    command: command.argv.map((word) => redact(word).text),
    input: command.input,
    turn_timeout: formatDuration(limits.turnTimeoutMs),
    max_failures: limits.maxFailures,
    ...(Number.isFinite(limits.maxTurns) ? { max_turns: limits.maxTurns } : {}),
  };
  return {
    packet,
    text: (style) =>
      joinLines(
        `${style.bold(`would ${step.kind.replaceAll("_", " ")}`)} (nothing was started)`,
        renderFacts(
          [
            ["decision", decision.kind],
            ["fetches", fetch === undefined ? null : sayFetch(fetch)],
            ["command", JSON.stringify(packet.command)],
            ["reads", command.input === "packet" ? "the guard's packet on stdin" : "a prompt on stdin"],
            ["ends", `after ${packet.turn_timeout} at the latest, each turn`],
            ["gives up", `after ${limits.maxFailures} failed turns in a row`],
          ],
          style,
        ),
      ),
  };
}

/** What a turn would fetch first; undefined without `--context-profile`, and where there is no work to fetch it for. */
async function findQuestion(
  tx: Parameters<typeof findAgent>[0],
  { goalId, contextProfile }: Driver,
  decision: Decision,
  root: string,
): Promise<ContextQuestion | undefined> {
  if (contextProfile === undefined) return undefined;
  const attachment = await findContextAttachment(tx, goalId, contextProfile);
  if (attachment === undefined) throw fromRefusal(refuseNotAttached(contextProfile));
  const todo = decision.kind === "run" ? await findTodo(tx, goalId, decision.todoId) : undefined;
  return todo === undefined ? undefined : { attachment, todo, root };
}

function sayFetch({ profile, providers, unknown }: PlannedFetch): string {
  const asks = providers.map(({ provider, input }) => `${provider} by ${input}`).join(", ") || "nobody";
  const gaps = unknown.length === 0 ? "" : `; ${unknown.join(", ")} would be UNKNOWN`;
  return `${profile} first, asks ${asks}${gaps}`;
}

function readReason(decision: Decision): object {
  return "reason" in decision ? { reason: decision.reason } : {};
}
