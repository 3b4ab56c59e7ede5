import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "./cli-world.ts";
import { runProgram, type ProgramResult } from "./run-program.ts";

/** What a command did to its disk, one call after the other, and when it had said what came of it. */
export type DiskCall =
  | { readonly kind: "create" | "unlink" | "sync"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly bytes: Buffer; readonly offset: number | "end" }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  | { readonly kind: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly kind: "reported" };

const WATCHED =
  "trace=openat,pwrite64,write,ftruncate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat";

export interface DiskLog {
  readonly calls: readonly DiskCall[];
  readonly result: ProgramResult;
}

/** Runs the CLI and records each call that changes a file of the world, with the bytes it writes. */
export async function recordDisk(
  world: World,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<DiskLog> {
  const log = join(world.directory, "disk.log");
  const flags = ["-f", "-y", "-xx", "-s", "1000000", "-o", log, "-e", WATCHED];
  const words = [...flags, process.execPath, world.program, "--json", ...args];
  const env = { ...world.env, ...options.env };
  const result = await runProgram("strace", words, { cwd: options.cwd ?? world.project, env });
  if (result.exitCode !== 0) throw new Error(`recording ${args.join(" ")}: ${result.stdout}${result.stderr}`);
  return { calls: parseDiskLog(readFileSync(log, "latin1"), world.directory), result };
}

/** The calls of a log that succeeded, on files below a folder. What one call is told in two lines counts where it begins. */
export function parseDiskLog(log: string, directory: string): readonly DiskCall[] {
  const calls = log.split("\n").map((line) => {
    const [, name = "", rest = ""] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
    return / = -1 E[A-Z]+ /.test(rest) ? undefined : toCall(name, rest);
  });
  return calls
    .filter((call) => call !== undefined)
    .filter((call) => call.kind === "reported" || call.path.startsWith(`${directory}/`));
}

function toCall(name: string, rest: string): DiskCall | undefined {
  const path = fromHex(/^\d+<([^>]*)>/.exec(rest)?.[1] ?? "").toString();
  const texts = [...rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text = ""]) => fromHex(text));
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = texts;
  switch (name) {
    case "write":
      if (rest.startsWith("1<")) return { kind: "reported" };
      return { kind: "write", path, bytes: first, offset: "end" };
    case "pwrite64":
      return { kind: "write", path, bytes: first, offset: Number(/", \d+, (\d+)/.exec(rest)?.[1]) };
    case "ftruncate":
      return { kind: "truncate", path, size: Number(/>, (\d+)/.exec(rest)?.[1]) };
    case "fsync":
    case "fdatasync":
      return { kind: "sync", path };
    case "openat":
      return rest.includes("O_CREAT") ? { kind: "create", path: first.toString() } : undefined;
    case "unlink":
    case "unlinkat":
      return { kind: "unlink", path: first.toString() };
    default:
      return name.startsWith("rename") || name.startsWith("link")
        ? { kind: name.startsWith("rename") ? "rename" : "link", path: first.toString(), to: second.toString() }
        : undefined;
  }
}

function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}
