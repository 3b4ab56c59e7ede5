import { readSync } from "node:fs";

const CHUNK_BYTES = 65_536;

/**
 * All bytes on stdin until its end; once there are more than `maxBytes`, those it has by then.
 *
 * Straight from the descriptor: loading `process.stdin` takes a tenth of what a bare process costs. A caller may hand over
 * a pipe that doesn't block and write late; then the stream waits for the rest.
 */
export async function readStandardInput(maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  while (byteCount <= maxBytes) {
    const chunk = readChunk();
    if (chunk === "later") return Buffer.concat([...chunks, await streamRest(maxBytes - byteCount)]);
    if (chunk.length === 0) break;
    chunks.push(chunk);
    byteCount += chunk.length;
  }
  return Buffer.concat(chunks);
}

function readChunk(): Uint8Array | "later" {
  const memory = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    return memory.subarray(0, readSync(0, memory, 0, memory.length, null));
  } catch {
    // Nothing there yet, or a fault that the stream will report.
    return "later";
  }
}

async function streamRest(maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
    byteCount += (chunk as Uint8Array).length;
    if (byteCount > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
