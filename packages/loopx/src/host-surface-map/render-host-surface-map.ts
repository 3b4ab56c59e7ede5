import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { findAgent, listGoals } from "@loopx/control-plane";
import { findHostMarker, SURFACES, type MarkedHost } from "@loopx/host-commands";
import type { CommandInput } from "../commands/command-handler.ts";
import { DEFAULT_HOST } from "../context/loopback.ts";
import type { CommandResult } from "../output/command-result.ts";
import { joinLines, renderFacts } from "../packets/render-facts.ts";
import { findMeantGoal } from "../project/meant-goal.ts";
import { withHomeToRead } from "../project/open-home.ts";
import { withProject } from "../project/resolve-project.ts";
import { scanBoundary } from "./boundary-claims.ts";
import { listLifecycleReads, listWriteCapabilities } from "./host-capabilities.ts";
import { isOnPath } from "./is-on-path.ts";

/** Where the map's facts came from. `state` is `readable`, `absent` or the code that reading it was refused with. */
interface ProjectionInput {
  readonly input: "project_store" | "home_registry";
  readonly state: string;
}

/**
 * Shows what a host may read and write here, by command line and by tool: a map of abilities, not the truth about a
 * project. Works without a project too, and says so.
 *
 * Refuses a goal or lane that was named and does not exist: `unknown_goal`, `unknown_agent`.
 */
export async function renderHostSurfaceMap(input: CommandInput<"status">): Promise<CommandResult> {
  const { flags, ambient } = input;
  const agentId = flags.agentId ?? null;
  const { goalId, store } = await findGoalOfMap(input);
  const { withTool, cliOnly } = listWriteCapabilities();
  const host = findHostMarker(ambient.env)?.host ?? null;
  const map = {
    goal_id: goalId,
    agent_id: agentId,
    host_kind: host ?? "unknown",
    activation: { mode: "thin_hook", visible_surface_required: needsVisibleSurface(host) },
    lifecycle_reads: listLifecycleReads(goalId, agentId),
    projection_inputs: [store, await readHome(ambient)],
    write_capabilities: withTool,
    optional_write_capabilities: cliOnly,
    cli_fallback: { available: isOnPath("loopx", ambient.env), required_for_writes: cliOnly.length > 0 },
  };
  const boundary = scanBoundary(map, [DEFAULT_HOST]);
  return {
    packet: { ok: true, schema_version: "host_integration_surface_v0", ...map, boundary },
    text: (style) =>
      joinLines(
        renderFacts(
          [
            ["active state id", goalId],
            ["host", map.host_kind],
            ["read from", map.projection_inputs.map(({ input: name, state }) => `${name} ${state}`).join(", ")],
            ["loopx on PATH", map.cli_fallback.available ? "yes" : "no: printed commands need its path"],
          ],
          style,
        ),
        `\n${style.dim("reads")}`,
        ...map.lifecycle_reads.map(({ read, cli }) => `  ${read.padEnd(10)}${cli}`),
        `\n${style.dim("writes, as tools too")}`,
        ...withTool.map(({ class: subject, commands }) => `  ${subject}: ${commands.join(", ")}`),
        `\n${style.dim("writes on the command line only")}`,
        ...cliOnly.map(({ class: subject, commands }) => `  ${subject}: ${commands.join(", ")}`),
      ),
  };
}

interface GoalOfMap {
  readonly goalId: string | null;
  readonly store: ProjectionInput;
}

async function findGoalOfMap({ flags, globals, ambient }: CommandInput<"status">): Promise<GoalOfMap> {
  const { goalId, agentId } = flags;
  try {
    return await withProject({ globals, ambient, goalId }, "read", ({ database }) =>
      database.read(async (tx) => {
        const goals = await listGoals(tx);
        const goal = goalId === undefined ? findMeantGoal(goals) : goals.find((each) => each.goal_id === goalId);
        if (goal === undefined && goalId !== undefined) throw toUnknown("unknown_goal", "no goal has this id");
        const isLane = goal !== undefined && agentId !== undefined && (await findAgent(tx, goal.goal_id, agentId));
        if (agentId !== undefined && !isLane) throw toUnknown("unknown_agent", "the agent is not registered here");
        return { goalId: goal?.goal_id ?? null, store: { input: "project_store", state: "readable" } };
      }),
    );
  } catch (error) {
    const isNamed = goalId !== undefined || agentId !== undefined;
    if (isNamed || !isLoopxError(error)) throw error;
    return { goalId: null, store: { input: "project_store", state: error.code } };
  }
}

function toUnknown(code: "unknown_goal" | "unknown_agent", message: string): LoopxError {
  return new LoopxError(code, { message, hint: "loopx goal list" });
}

async function readHome(ambient: Ambient): Promise<ProjectionInput> {
  try {
    const state = await withHomeToRead(ambient, async (home) => (home === undefined ? "absent" : "readable"));
    return { input: "home_registry", state };
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return { input: "home_registry", state: error.code };
  }
}

/** Null where the host is unknown, or has surfaces that differ in it. */
function needsVisibleSurface(host: MarkedHost | null): boolean | null {
  const needs = new Set(
    SURFACES.filter(({ markerHost }) => host !== null && markerHost === host).map(
      ({ activationMethod }) => activationMethod === "set_visible_goal",
    ),
  );
  const [only, ...others] = needs;
  return only === undefined || others.length > 0 ? null : only;
}
