import { writeSync } from "node:fs";

/**
 * Writes text to stdout (1) or stderr (2) to its last byte.
 *
 * Straight to the descriptor: loading `process.stdout` costs more than most commands. A descriptor that doesn't take
 * more at once (a non-blocking pipe) is handed to the stream, which waits. A reader that has gone is no failure:
 * `head -1` got what it wanted. Throws what the descriptor reports otherwise.
 */
export async function writeFully(descriptor: 1 | 2, text: string): Promise<void> {
  const bytes = Buffer.from(text, "utf8");
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (hasCode(error, "EPIPE")) return;
      if (!hasCode(error, "EAGAIN")) throw error;
      await writeToStream(descriptor, bytes.subarray(written));
      return;
    }
  }
}

async function writeToStream(descriptor: 1 | 2, bytes: Uint8Array): Promise<void> {
  const stream = descriptor === 1 ? process.stdout : process.stderr;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error | null): void => {
      if (error && !hasCode(error, "EPIPE")) reject(error);
      else resolve();
    };
    stream.on("error", settle);
    stream.write(bytes, settle);
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
