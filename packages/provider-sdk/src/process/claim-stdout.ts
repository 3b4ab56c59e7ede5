import { writeSync } from "node:fs";

type Write = (bytes: Uint8Array, done: () => void) => unknown;

/** What Node loads to make `process.stdout`: for a pipe, a terminal, a file. */
const MAKERS = ["net", "tty", "internal/fs/sync_write_stream"];

/**
 * Sends to stderr what is printed to stdout from now on, and gives the one function that reaches stdout: one line that a
 * library prints would spoil the answer. It ends the process where nobody reads any more.
 *
 * No stream is made for it: that takes a tenth of what a bare process costs. Where somebody may hold `process.stdout`
 * already, it is made all the same, and its own writing is turned.
 */
export function claimStdout(): (answer: object) => Promise<void> {
  const openWrite = mayBeHeld() ? turnStream() : turnProperty();
  return async (answer) => {
    const bytes = Buffer.from(JSON.stringify(answer), "utf8");
    const written = writeToDescriptor(bytes);
    if (written === bytes.length) return;
    await new Promise<void>((resolve) => {
      openWrite()(bytes.subarray(written), resolve);
    });
  };
}

function turnStream(): () => Write {
  const { stdout } = process;
  const write: Write = stdout.write.bind(stdout);
  stdout.write = process.stderr.write.bind(process.stderr);
  stdout.on("error", endUnread);
  return () => write;
}

function turnProperty(): () => Write {
  const original = Object.getOwnPropertyDescriptor(process, "stdout");
  Object.defineProperty(process, "stdout", { ...original, get: () => process.stderr });
  return () => {
    const stdout = original?.get?.call(process) as NodeJS.WriteStream;
    stdout.on("error", endUnread);
    return stdout.write.bind(stdout);
  };
}

/** How many bytes went at once: a pipe that doesn't block takes what it has room for. */
function writeToDescriptor(bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) endUnread();
  }
  return written;
}

function endUnread(): never {
  return process.exit(1);
}

/** True too where this Node doesn't say what it has loaded. */
function mayBeHeld(): boolean {
  const { moduleLoadList } = process as { readonly moduleLoadList?: readonly string[] };
  return moduleLoadList === undefined || MAKERS.some((name) => moduleLoadList.includes(`NativeModule ${name}`));
}
