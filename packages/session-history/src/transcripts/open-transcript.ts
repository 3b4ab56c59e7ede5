import { type FileHandle, open } from "node:fs/promises";
import { pipeline, type Transform } from "node:stream";
import { isMissing, OPEN_TRANSCRIPT, type TranscriptFile } from "./find-transcripts.ts";
import { type FileLine, splitLines } from "./split-lines.ts";

/** A longer line holds no conversation but a tool's output or an image. */
const MAX_LINE_BYTES = 8 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;

export interface Transcript {
  readonly isCompressed: boolean;
  /** The lines that the file had when it was opened. A file that grows meanwhile doesn't hold a reader up. */
  readonly lines: (signal: AbortSignal) => AsyncGenerator<readonly FileLine[]>;
  /** Some lines, by the offsets of their beginnings. */
  readonly linesAt: (offsets: readonly number[], signal: AbortSignal) => AsyncGenerator<FileLine>;
  readonly close: () => Promise<void>;
}

export type OpenedTranscript =
  | { readonly kind: "opened"; readonly transcript: Transcript }
  | { readonly kind: "missing" | "unreadable" | "compression_unknown" };

/** Opens a transcript for reading. What it held by then can be read to its end, also when the file is deleted meanwhile. */
export async function openTranscript(file: TranscriptFile): Promise<OpenedTranscript> {
  const decompress = file.isCompressed ? findZstd() : undefined;
  if (file.isCompressed && decompress === undefined) return { kind: "compression_unknown" };
  let handle: FileHandle | undefined;
  try {
    handle = await open(file.path, OPEN_TRANSCRIPT);
    const status = await handle.stat();
    if (status.isFile()) return { kind: "opened", transcript: toTranscript(handle, status.size, decompress) };
    await handle.close();
    return { kind: "missing" };
  } catch (error) {
    await handle?.close();
    return { kind: isMissing(error) ? "missing" : "unreadable" };
  }
}

function toTranscript(handle: FileHandle, size: number, decompress: (() => Transform) | undefined): Transcript {
  const chunksFrom = (start: number): AsyncIterable<Buffer> =>
    decompress === undefined ? readChunks(handle, start, size) : decompressChunks(handle, size, decompress());

  async function* linesFrom(start: number, signal: AbortSignal): AsyncGenerator<readonly FileLine[]> {
    const splitter = splitLines(MAX_LINE_BYTES);
    for await (const chunk of chunksFrom(start)) {
      signal.throwIfAborted();
      yield splitter.push(chunk);
    }
    yield splitter.end();
  }

  async function* linesAt(offsets: readonly number[], signal: AbortSignal): AsyncGenerator<FileLine> {
    for (const offset of offsets) {
      // Compressed bytes have no places: what comes before is read again.
      const start = decompress === undefined ? offset : 0;
      const line = await findLine(linesFrom(start, signal), offset - start);
      if (line !== undefined) yield { offset, bytes: line.bytes };
    }
  }

  return {
    isCompressed: decompress !== undefined,
    lines: (signal) => linesFrom(0, signal),
    linesAt,
    close: () => handle.close(),
  };
}

async function findLine(batches: AsyncIterable<readonly FileLine[]>, offset: number): Promise<FileLine | undefined> {
  for await (const lines of batches) {
    const line = lines.find((one) => one.offset === offset);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Each chunk uses the memory of the one before. */
async function* readChunks(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  const memory = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, end - start)));
  for (let at = start; at < end;) {
    const { bytesRead } = await handle.read(memory, 0, Math.min(memory.length, end - at), at);
    // The file was cut short meanwhile.
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function* decompressChunks(handle: FileHandle, end: number, transform: Transform): AsyncGenerator<Buffer> {
  const source = readChunks(handle, 0, end);
  const copies = (async function* () {
    for await (const chunk of source) yield Buffer.from(chunk);
  })();
  // Its error is thrown by the loop that reads; the callback is only there because one has to be.
  yield* pipeline(copies, transform, () => {}) as AsyncIterable<Buffer>;
}

/** Zstandard came with Node 22.15 and 23.8, and the types of Node 20 don't know it. */
function findZstd(): (() => Transform) | undefined {
  const zlib = process.getBuiltinModule("node:zlib") as { createZstdDecompress?: () => Transform };
  return zlib.createZstdDecompress;
}
