import type { Topic } from "@loopx/workstation/contract";
import { createChangeStamps } from "./change-stamps.ts";
import { createServerWatch, type ServerWatchOptions } from "./server-watch.ts";
import type { WatchedProject } from "./watched-project.ts";

/** A file that something is read from, and what is told when it changes. */
export interface WatchedFile {
  readonly path: string;
  readonly topics: readonly Topic[];
}

/** Tells pages what may have changed. Looks at files, and asks servers, only while a page listens. */
export interface ChangeFeed {
  /** Calls `tell` with each change from now on; gives what ends it. */
  readonly listen: (tell: (topics: readonly Topic[]) => void) => () => void;
  /** Tells every page now: for what this process knows by itself. */
  readonly announce: (topics: readonly Topic[]) => void;
  /** Looks at these files too. */
  readonly watch: (files: readonly WatchedFile[]) => void;
  readonly stop: () => void;
}

export interface ChangeFeedOptions {
  /** The registered projects; asked again whenever `registryPath` changes. */
  readonly listProjects: () => Promise<readonly WatchedProject[]>;
  /** Opens the store of a project that a server keeps. */
  readonly openOnServer: ServerWatchOptions["open"];
  readonly registryPath: string;
  readonly nowMs: () => number;
}

/** A change shows within a second. Two hundred files at this pace take some two milliseconds a second. */
const LOOK_EVERY_MS = 300;

/**
 * Begins with the files as they are now. Whatever changed before a page listens is told to it at once: it may have read
 * before that, and nothing may get lost in between.
 */
export async function startChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  const { listProjects, openOnServer, registryPath, nowMs } = options;
  const stamps = createChangeStamps(nowMs);
  const listeners = new Set<(topics: readonly Topic[]) => void>();
  const ownFiles: WatchedFile[] = [];
  let listed: readonly WatchedProject[] = [];
  let timer: NodeJS.Timeout | undefined;

  const announce = (topics: readonly Topic[]): void => {
    if (topics.length > 0) for (const tell of listeners) tell(topics);
  };
  const servers = createServerWatch({ open: openOnServer, tell: announce });
  const relist = async (): Promise<void> => {
    try {
      listed = await listProjects();
      servers.follow(listed.filter(({ isOnServer }) => isOnServer));
      stamps.keepOnly(new Set([registryPath, ...[...listed, ...ownFiles].map(({ path }) => path)]));
    } catch {
      // What cannot be read is said by the screen that reads it; the next change of the registry is another try.
    }
  };
  const look = async (): Promise<void> => {
    const isRegistryChanged = stamps.hasChanged(registryPath);
    const known = new Set(listed.map(({ path }) => path));
    if (isRegistryChanged) await relist();
    // One that is new may have changed since it was registered.
    const added = listed.filter(({ path }) => !known.has(path));
    const changed = [...added, ...[...listed, ...ownFiles].filter(({ path }) => stamps.hasChanged(path))];
    const topics = changed.flatMap((file) => file.topics);
    announce([...new Set<Topic>(isRegistryChanged ? ["overview", ...topics] : topics)]);
  };
  const lookOn = (): void => {
    timer = setTimeout(() => void look().finally(() => timer !== undefined && lookOn()), LOOK_EVERY_MS);
  };
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    servers.stop();
  };

  stamps.hasChanged(registryPath);
  await relist();
  for (const { path } of listed) stamps.hasChanged(path);

  return {
    listen: (tell) => {
      listeners.add(tell);
      if (timer === undefined) {
        servers.start();
        lookOn();
      }
      return () => {
        listeners.delete(tell);
        if (listeners.size === 0) end();
      };
    },
    announce,
    watch: (files) => {
      ownFiles.push(...files);
      for (const { path } of files) stamps.hasChanged(path);
    },
    stop: () => {
      listeners.clear();
      end();
    },
  };
}
