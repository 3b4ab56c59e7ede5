import { formatDuration, fromRefusal, redact, refuse } from "@loopx/contracts";
import { decideNext, findAgent, loadDecisionFacts, loadGoal, type Decision } from "@loopx/control-plane";
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
  const { decision, turn } = await withGoal({ globals, ambient, goalId }, "read", async (project) => {
    await assertTrusted(project, ambient);
    return project.database.read(async (tx) => {
      const { goal } = unwrap(await loadGoal(tx, goalId));
      if ((await findAgent(tx, goalId, agentId)) === undefined) {
        throw fromRefusal(refuse("unknown_agent", { message: "the agent is not registered in this goal" }));
      }
      const holder = { turnId: driver.resumes ?? null, label: driver.driverId };
      const facts = await loadDecisionFacts(tx, goal, { agentId, holder }, now);
      return { decision: decideNext(facts, now).decision, turn: facts.openTurn };
    });
  });
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

function readReason(decision: Decision): object {
  return "reason" in decision ? { reason: decision.reason } : {};
}
