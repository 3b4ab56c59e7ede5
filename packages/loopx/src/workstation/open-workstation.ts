import { join, resolve } from "node:path";
import type { Hono } from "hono";
import { toEpochMs } from "@loopx/contracts";
import type { CommandInput } from "../commands/command-handler.ts";
import { assertTraceFolder } from "../context/trace-store-place.ts";
import { openRegisteredProject } from "../global/registered-project.ts";
import { HOME_STORE, resolveHomeDirectory } from "../project/home-location.ts";
import { createRunCommand } from "./create-run-command.ts";
import { createWorkstationApp } from "./create-workstation-app.ts";
import { startChangeFeed } from "./live/change-feed.ts";
import { listWatchedProjects } from "./live/watched-project.ts";
import { createGuard, type Guard, type GuardOptions } from "./security/guard.ts";
import { decideStanding } from "./standing.ts";
import { loadPageFiles } from "./static/page-files.ts";
import type { WorkstationWorld } from "./workstation-world.ts";

/** The page and its API, for a server that is about to listen. */
export interface Workstation {
  readonly app: Hono;
  /** Changes with every start. */
  readonly serverId: string;
  /** Says where it listens: before that nobody is answered. */
  readonly begin: (at: Omit<GuardOptions, "clockMs">) => Guard;
  /** Ends the streams, which would hold the server up. */
  readonly stop: () => void;
}

/** Refuses with `gate_needs_owner` an owner token that shows nothing, and with `file_not_readable` where there is no page. */
export async function openWorkstation(input: CommandInput<"workstation">): Promise<Workstation> {
  const { ambient, flags, globals } = input;
  const files = loadPageFiles();
  const standing = await decideStanding(input, flags.ownerTokenFile);
  const nowMs = (): number => toEpochMs(ambient.now());
  const changes = await startChangeFeed({
    listProjects: () => listWatchedProjects(globals, ambient),
    openOnServer: ({ project }) => openRegisteredProject(project, ambient),
    registryPath: globals.registry ?? join(resolveHomeDirectory(ambient), HOME_STORE),
    nowMs,
  });
  const ends = new Set<() => void>();
  let isStopped = false;
  const world: WorkstationWorld = {
    ambient,
    globals,
    serverId: ambient.newId("workstation"),
    standing,
    context: {
      project: flags.contextProject === undefined ? undefined : resolve(ambient.cwd, flags.contextProject),
      binding: flags.binding,
      traces: flags.traces.map((folder) => {
        assertTraceFolder(folder, "--traces");
        return resolve(ambient.cwd, folder);
      }),
    },
    changes,
    kept: new Map(),
    runCommand: createRunCommand(input, standing),
    onStop: (end) => {
      // A request that was on its way when the server stopped begins after that.
      if (isStopped) queueMicrotask(end);
      ends.add(end);
      return () => void ends.delete(end);
    },
  };
  let guard: Guard | undefined;
  const app = createWorkstationApp({ world, files, findGuard: () => guard });
  return {
    app,
    serverId: world.serverId,
    begin: (at) => (guard = createGuard({ ...at, clockMs: () => performance.now() })),
    stop: () => {
      isStopped = true;
      for (const end of ends) end();
      changes.stop();
    },
  };
}
