import { type FileHandle, open } from "node:fs/promises";
import { pipeline, type Transform } from "node:stream";
import { isMissing, OPEN_TRANSCRIPT, type TranscriptFile } from "./find-transcripts.ts";
import { type FileLine, splitLines } from "./split-lines.ts";

/** A longer line holds no conversation but a tool's output or an image. */
const MAX_LINE_BYTES = 8 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;
/** For one line somewhere in the file: all that is read with it is cut into lines too. */
const SMALL_CHUNK_BYTES = 2 ** 14;

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
  const allChunks = (): AsyncIterable<Buffer> => {
    const chunks = readChunks(handle, { start: 0, end: size, chunkBytes: CHUNK_BYTES });
    return decompress === undefined ? chunks : decompressChunks(chunks, decompress());
  };
  const chunksFrom = (start: number): AsyncIterable<Buffer> =>
    readChunks(handle, { start, end: size, chunkBytes: SMALL_CHUNK_BYTES });

  async function* linesAt(offsets: readonly number[], signal: AbortSignal): AsyncGenerator<FileLine> {
    for (const offset of offsets) {
      // Compressed bytes have no places: what comes before is read again.
      const isPlace = decompress === undefined;
      const lines = toLines(isPlace ? chunksFrom(offset) : allChunks(), signal);
      const line = await findLine(lines, isPlace ? 0 : offset);
      if (line !== undefined) yield { offset, bytes: line.bytes };
    }
  }

  return {
    isCompressed: decompress !== undefined,
    lines: (signal) => toLines(allChunks(), signal),
    linesAt,
    close: () => handle.close(),
  };
}

async function* toLines(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<readonly FileLine[]> {
  const splitter = splitLines(MAX_LINE_BYTES);
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield splitter.push(chunk);
  }
  yield splitter.end();
}

async function findLine(batches: AsyncIterable<readonly FileLine[]>, offset: number): Promise<FileLine | undefined> {
  for await (const lines of batches) {
    const line = lines.find((one) => one.offset === offset);
    if (line !== undefined) return line;
  }
  return undefined;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly chunkBytes: number;
}

/** Each chunk uses the memory of the one before. */
async function* readChunks(handle: FileHandle, { start, end, chunkBytes }: Stretch): AsyncGenerator<Buffer> {
  const memory = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, end - start)));
  for (let at = start; at < end;) {
    const { bytesRead } = await handle.read(memory, 0, Math.min(memory.length, end - at), at);
    // The file was cut short meanwhile.
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function* decompressChunks(chunks: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const copies = (async function* () {
    for await (const chunk of chunks) yield Buffer.from(chunk);
  })();
  // Its error is thrown by the loop that reads; the callback is only there because one has to be.
  yield* pipeline(copies, transform, () => {}) as AsyncIterable<Buffer>;
}

/** Zstandard came with Node 22.15 and 23.8, and the types of Node 20 don't know it. */
function findZstd(): (() => Transform) | undefined {
  const zlib = process.getBuiltinModule("node:zlib") as { createZstdDecompress?: () => Transform };
  return zlib.createZstdDecompress;
}
