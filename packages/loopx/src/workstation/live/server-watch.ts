import { setTimeout as pause } from "node:timers/promises";
import type { Topic } from "@loopx/workstation/contract";
import type { Database } from "@loopx/store";
import { loadChangeMark } from "@loopx/control-plane";
import type { WatchedProject } from "./watched-project.ts";

/** Asks servers whether the projects they keep have changed: one connection a project, and none while nobody looks. */
export interface ServerWatch {
  /** The projects to ask for from now on. */
  readonly follow: (projects: readonly WatchedProject[]) => void;
  readonly start: () => void;
  /** Closes every connection. */
  readonly stop: () => void;
}

export interface ServerWatchOptions {
  readonly open: (watched: WatchedProject) => Promise<Database>;
  /** Something of these topics changed, or can no longer be read, or can be read again. */
  readonly tell: (topics: readonly Topic[]) => void;
}

const ASK_EVERY_MS = 1_000;
/** A server that is away is tried again after one second, then two, and so on up to this. */
const LONGEST_PAUSE_MS = 10_000;

export function createServerWatch({ open, tell }: ServerWatchOptions): ServerWatch {
  /** As each project was seen last, so that what changed while nobody looked is told to who looks next. */
  const marks = new Map<string, string>();
  const running = new Map<string, { readonly key: string; readonly ending: AbortController }>();
  let followed: readonly WatchedProject[] = [];
  let isStarted = false;

  const ask = async (watched: WatchedProject, signal: AbortSignal): Promise<void> => {
    const { projectId } = watched.project;
    let database: Database | undefined;
    let failedCount = 0;
    while (!signal.aborted) {
      try {
        database ??= await open(watched);
        const mark = await database.read(loadChangeMark);
        if (!signal.aborted && (failedCount > 0 || marks.get(projectId) !== mark)) tell(watched.topics);
        marks.set(projectId, mark);
        failedCount = 0;
      } catch {
        // Whatever it is, the screen that reads the project says it; here it is another try, later each time.
        await database?.close();
        database = undefined;
        if (!signal.aborted && failedCount === 0) tell(watched.topics);
        failedCount += 1;
      }
      const pauseMs = Math.min(ASK_EVERY_MS * 2 ** Math.max(0, failedCount - 1), LONGEST_PAUSE_MS);
      // Ended by the signal, which the loop looks at.
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    await database?.close();
  };
  const settle = (): void => {
    const wanted = new Map(isStarted ? followed.map((watched) => [watched.project.projectId, watched] as const) : []);
    for (const [projectId, { key, ending }] of running) {
      const watched = wanted.get(projectId);
      if (watched !== undefined && toKey(watched) === key) continue;
      ending.abort();
      running.delete(projectId);
    }
    for (const [projectId, watched] of wanted) {
      if (running.has(projectId)) continue;
      const ending = new AbortController();
      running.set(projectId, { key: toKey(watched), ending });
      void ask(watched, ending.signal);
    }
  };

  return {
    follow: (projects) => {
      followed = projects;
      settle();
    },
    start: () => {
      isStarted = true;
      settle();
    },
    stop: () => {
      isStarted = false;
      settle();
    },
  };
}

/** A project at another place, or with other goals, is asked for anew. */
function toKey({ path, topics }: WatchedProject): string {
  return JSON.stringify([path, topics]);
}
