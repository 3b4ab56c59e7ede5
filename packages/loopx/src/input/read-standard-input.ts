import { readSync } from "node:fs";

const CHUNK_BYTES = 65_536;

/**
 * Everything on stdin, to its end. Throws what the descriptor reports when it can't be read.
 *
 * Straight from the descriptor: loading `process.stdin` costs more than all else a hook does. A host may hand over a
 * non-blocking pipe and write late; then the stream waits for the rest. The process is blocked meanwhile, so this is for a
 * program that listens to no signal: `streamStandardInput` is for a command.
 */
export async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readChunk(chunk);
    if (count === "later") break;
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
  }
  return Buffer.concat([...chunks, await streamStandardInput()]);
}

/** The same for a command, which a signal may end while it waits. */
export async function streamStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

function readChunk(chunk: Buffer): number | "later" {
  try {
    return readSync(0, chunk, 0, chunk.length, null);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EAGAIN") return "later";
    // How Windows reports the end of a pipe.
    if (code === "EOF") return 0;
    throw error;
  }
}
