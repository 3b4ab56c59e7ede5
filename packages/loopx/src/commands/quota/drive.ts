import { resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { findHostMarker } from "@loopx/host-commands";
import { isProgram } from "@loopx/store";
import type { AgentCommand, Driver } from "../../drive/driver.ts";
import { driveLane } from "../../drive/drive-lane.ts";
import { renderDriveEnd } from "../../drive/drive-packet.ts";
import { previewDrive } from "../../drive/preview-drive.ts";
import { isOnPath } from "../../host-surface-map/is-on-path.ts";
import { findUserHome } from "../../project/home-location.ts";
import { loadLeaseTtl } from "../../project/lease-ttl.ts";
import { parseProjectFolder } from "../../project/project-roots.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"drive">;

/** Drives a lane with a command, turn by turn, until it is told to stop. */
export const run: CommandHandler<"drive"> = async (input) => {
  const driver = await toDriver(input);
  if (input.flags.dryRun) return previewDrive(driver);
  refuseAgent(input);
  let kill: (() => void) | undefined;
  // A second signal ends the process: what it has started must not outlive it.
  input.onInterrupt(() => kill?.());
  input.note(`driving ${driver.agentId} on ${driver.goalId}: Ctrl-C ends the turn and the loop`);
  const end = await driveLane(driver, {
    note: input.note,
    interrupted: input.untilInterrupted(),
    setKill: (killNow) => {
      kill = killNow;
    },
  });
  return renderDriveEnd(driver, end);
};

async function toDriver({ flags, positionals, globals, ambient }: Input): Promise<Driver> {
  const command = toCommand({ flags, positionals, globals, ambient });
  const { goalId, agentId } = flags;
  return {
    goalId,
    agentId,
    driverId: ambient.newId("driver"),
    resumes: flags.turn,
    globals,
    ambient,
    contextProfile: flags.contextProfile,
    command,
    limits: {
      maxTurns: flags.maxTurns ?? Number.POSITIVE_INFINITY,
      maxFailures: flags.maxFailures,
      turnTimeoutMs: await withGoal({ globals, ambient, goalId }, "read", ({ database }) =>
        loadLeaseTtl(database, flags.turnTimeout),
      ),
      stopsOnWait: flags.noWait,
    },
  };
}

function toCommand({
  flags,
  positionals,
  globals,
  ambient,
}: Pick<Input, "flags" | "positionals" | "globals" | "ambient">): AgentCommand {
  const [program = ""] = positionals;
  const { CODEX_THREAD_ID: _thread, ...env } = ambient.env;
  const from = { cwd: ambient.cwd, userHome: findUserHome(ambient.env) };
  const { project, registry } = globals;
  const cwd = project === undefined ? ambient.cwd : parseProjectFolder(project, from);
  const isThere = program.includes("/") ? isProgram(resolve(cwd, program)) : isOnPath(program, env);
  if (!isThere) {
    throw new LoopxError("invalid_value", {
      message: program.includes("/")
        ? "the program after -- is no file that can be run"
        : "no program of the name after -- is on the PATH",
      hint: "check the spelling and its permissions; a path counts from where the program works",
      details: { field: "command" },
    });
  }
  return {
    argv: positionals,
    cwd,
    env: {
      ...env,
      LOOPX_AGENT: flags.agentId,
      ...(registry === undefined ? {} : { LOOPX_REGISTRY: resolve(ambient.cwd, registry) }),
    },
    input: flags.input,
    stdoutTo: globals.format === "json" ? "stderr" : "stdout",
  };
}

/** A loop that no person sees start is headless by surprise; and a driven agent that drives would have no end. */
function refuseAgent({ ambient }: Input): void {
  const marker = findHostMarker(ambient.env);
  if (marker === undefined) return;
  throw new LoopxError("gate_needs_owner", {
    message: `a driver is started by a person or a scheduler, and this process carries the marker of ${marker.host}`,
    hint: "run it at your own terminal; --dry-run shows what it would do",
    details: { host: marker.host },
  });
}
