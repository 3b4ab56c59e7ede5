import { isLoopxError, type Ambient } from "@loopx/contracts";
import { loadChangeMarks, type ChangeMarks } from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import type { Topic } from "@loopx/workstation/contract";
import { openRegisteredProject, type RegisteredProject } from "../../global/registered-project.ts";

/** Follows the projects that a server keeps: there is no file whose change would tell. */
export interface ServerFeed {
  /** Follows exactly these from now on; what has not been followed yet counts as changed. */
  readonly follow: (projects: readonly RegisteredProject[]) => void;
  /** Closes every connection. */
  readonly rest: () => void;
}

/** A change shows within a second, and a server is asked one statement of index reads for it. */
const LOOK_EVERY_MS = 700;
/** A server that is away is asked ever less often: many pages must not keep it from coming back. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Asks instead of listening (`LISTEN`): a listener needs a connection of its own that no pooler may share, and would miss
 * what was told while it was away.
 */
export function createServerFeed(announce: (topics: readonly Topic[]) => void, ambient: Ambient): ServerFeed {
  const followed = new Map<string, () => void>();
  return {
    follow: (projects) => {
      const wanted = new Map(projects.map((project) => [project.projectId, project]));
      for (const [id, end] of followed) {
        if (wanted.has(id)) continue;
        end();
        followed.delete(id);
      }
      for (const [id, project] of wanted) {
        if (!followed.has(id)) followed.set(id, followProject(project, announce, ambient));
      }
    },
    rest: () => {
      for (const end of followed.values()) end();
      followed.clear();
    },
  };
}

function followProject(
  project: RegisteredProject,
  announce: (topics: readonly Topic[]) => void,
  ambient: Ambient,
): () => void {
  let hasEnded = false;
  let marks: ChangeMarks | undefined;
  let database: Database | undefined;
  let pauseMs = LOOK_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    try {
      database ??= await openRegisteredProject(project, ambient);
      const current = await database.read(loadChangeMarks);
      const changed = listChanged(marks, current);
      marks = current;
      pauseMs = LOOK_EVERY_MS;
      if (!hasEnded) announce(toTopics(changed));
    } catch (error) {
      if (!isLoopxError(error)) throw error;
      await close();
      // Once: the screens then say what is the matter. What changed meanwhile shows when it answers again.
      if (marks !== undefined && !hasEnded) announce(toTopics(project.goalIds));
      marks = undefined;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };
  const close = async (): Promise<void> => {
    const open = database;
    database = undefined;
    // One that is lost is closed as it is.
    await open?.close().catch(() => undefined);
  };
  const lookOn = async (): Promise<void> => {
    await look();
    if (hasEnded) return close();
    timer = setTimeout(() => void lookOn(), pauseMs);
    timer.unref();
  };
  void lookOn();

  return () => {
    hasEnded = true;
    // A look that is under way closes when it ends.
    if (timer !== undefined) void close();
    clearTimeout(timer);
  };
}

/** Without marks of before, every goal. */
function listChanged(before: ChangeMarks | undefined, now: ChangeMarks): Iterable<string> {
  const ids = new Set([...(before?.keys() ?? []), ...now.keys()]);
  return [...ids].filter((id) => before?.get(id) !== now.get(id));
}

function toTopics(goalIds: Iterable<string>): readonly Topic[] {
  const topics = [...goalIds].map((goalId): Topic => `goal:${goalId}`);
  return topics.length === 0 ? [] : ["overview", ...topics];
}
