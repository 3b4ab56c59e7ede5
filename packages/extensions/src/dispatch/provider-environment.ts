import { delimiter, dirname } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Says how many providers deep a process is: `loopx` called by a provider starts no other one. */
export const DEPTH_VARIABLE = "LOOPX_EXTENSION_DEPTH";

/** What a program needs to find its interpreter, its user's files and the sessions it is asked about. Nothing else goes along. */
const PASSED_ON: ReadonlySet<string> = new Set([
  "HOME",
  "LANG",
  "TMPDIR",
  "CODEX_HOME",
  "CLAUDE_CONFIG_DIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_DIRS",
  "XDG_CONFIG_HOME",
  "XDG_DATA_DIRS",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
  "XDG_STATE_HOME",
  // Which session calls: a provider leaves it out of what it finds.
  "CODEX_THREAD_ID",
  "CLAUDE_CODE_SESSION_ID",
]);

/** The whole environment of a provider: an allow-list of the caller's, the running Node findable, and its depth. */
export function toProviderEnvironment(environment: Environment): Record<string, string> {
  const passed = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (PASSED_ON.has(entry[0]) || entry[0].startsWith("LC_")),
  );
  return { ...Object.fromEntries(passed), PATH: toSearchPath(environment["PATH"]), [DEPTH_VARIABLE]: "1" };
}

/** Whether this process was started by a provider. */
export function isWithinProvider(environment: Environment): boolean {
  const depth = environment[DEPTH_VARIABLE] ?? "";
  return depth !== "" && depth !== "0";
}

/** Hosts with a window often start us without a PATH that holds Node. */
function toSearchPath(given = ""): string {
  const own = dirname(process.execPath);
  const folders = given.split(delimiter).filter((folder) => folder !== "");
  return (folders.includes(own) ? folders : [...folders, own]).join(delimiter);
}
