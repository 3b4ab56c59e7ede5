/** One line of a file, without its end. Its bytes are good until the next chunk is read. */
export interface FileLine {
  readonly offset: number;
  readonly bytes: Buffer;
}

export interface LineSplitter {
  readonly push: (chunk: Buffer) => readonly FileLine[];
  /** The last line, when no line end follows it: complete, or half written. */
  readonly end: () => readonly FileLine[];
}

const LINE_FEED = 0x0a;

/**
 * Cuts chunks of a file into lines and keeps at most `maxLineBytes` of an unfinished one: a longer line is left out.
 *
 * NUL bytes at the start of a line are skipped, however many: a crash of the machine leaves runs of them.
 */
export function splitLines(maxLineBytes: number): LineSplitter {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineOffset = 0;
  let isTooLong = false;
  let chunkOffset = 0;

  const keep = (piece: Buffer): void => {
    if (keptBytes + piece.length > maxLineBytes) isTooLong = true;
    if (isTooLong) kept = [];
    // The chunk's memory is used again for the next one.
    else if (piece.length > 0) kept.push(Buffer.from(piece));
    keptBytes += piece.length;
  };

  const finishLine = (piece: Buffer): readonly FileLine[] => {
    const isWhole = !isTooLong && keptBytes + piece.length <= maxLineBytes;
    const bytes = kept.length === 0 ? piece : Buffer.concat([...kept, piece]);
    const line = { offset: lineOffset, bytes };
    kept = [];
    keptBytes = 0;
    isTooLong = false;
    return isWhole && bytes.length > 0 ? [line] : [];
  };

  return {
    push(chunk) {
      const lines: FileLine[] = [];
      let start = 0;
      while (start < chunk.length) {
        if (keptBytes === 0) {
          start = skipNuls(chunk, start);
          lineOffset = chunkOffset + start;
        }
        const end = chunk.indexOf(LINE_FEED, start);
        if (end === -1) {
          keep(chunk.subarray(start));
          break;
        }
        lines.push(...finishLine(chunk.subarray(start, end)));
        start = end + 1;
      }
      chunkOffset += chunk.length;
      return lines;
    },
    end: () => finishLine(Buffer.alloc(0)),
  };
}

function skipNuls(chunk: Buffer, from: number): number {
  let at = from;
  while (chunk[at] === 0) at += 1;
  return at;
}
