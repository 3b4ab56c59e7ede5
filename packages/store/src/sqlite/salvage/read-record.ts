import type { SqlValue } from "../../database.ts";
import type { PageFile, TreePage } from "./page-file.ts";

/** One row as it lies in its page: the number that the engine gave it, and the values it wrote. */
export interface RawRow {
  readonly rowId: number;
  readonly values: readonly SqlValue[];
}

/** The row of a leaf's cell; undefined where the cell, or a page that it goes on in, is damaged. */
export function findRow(file: PageFile, { bytes }: TreePage, offset: number): RawRow | undefined {
  const length = readVarint(bytes, offset);
  const rowId = length && readVarint(bytes, length.next);
  if (length === undefined || rowId === undefined) return undefined;
  const payload = findPayload(file, bytes, { offset: rowId.next, length: length.value });
  const values = payload && findValues(payload);
  return values && { rowId: rowId.value, values };
}

/** Larger than any row of ours; a length that is damaged names no more of the file than this. */
const LONGEST_PAYLOAD = 64 * 1024 * 1024;

/** What doesn't fit its page goes on in a chain of others (file format, 1.6: the sizes are the engine's). */
function findPayload(
  file: PageFile,
  page: Buffer,
  cell: { readonly offset: number; readonly length: number },
): Buffer | undefined {
  const usable = file.usableSize;
  if (cell.length < 0 || cell.length > LONGEST_PAYLOAD) return undefined;
  const isSpilled = cell.length > usable - 35;
  const smallest = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = smallest + ((cell.length - smallest) % (usable - 4));
  const localLength = !isSpilled ? cell.length : fitting <= usable - 35 ? fitting : smallest;
  const localEnd = cell.offset + localLength;
  if (localEnd + (isSpilled ? 4 : 0) > usable) return undefined;
  const parts = [page.subarray(cell.offset, localEnd)];
  let next = isSpilled ? page.readUInt32BE(localEnd) : 0;
  for (let left = cell.length - localLength; left > 0;) {
    const overflow = file.page(next);
    if (overflow === undefined) return undefined;
    const part = overflow.subarray(4, 4 + Math.min(left, usable - 4));
    parts.push(part);
    left -= part.length;
    next = overflow.readUInt32BE(0);
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

function findValues(payload: Buffer): readonly SqlValue[] | undefined {
  const header = readVarint(payload, 0);
  if (header === undefined || header.value > payload.length) return undefined;
  const values: SqlValue[] = [];
  let body = header.value;
  for (let at = header.next; at < header.value;) {
    const type = readVarint(payload, at);
    if (type === undefined || type.next > header.value) return undefined;
    at = type.next;
    const length = toLength(type.value);
    if (length === undefined || body + length > payload.length) return undefined;
    const value = findValue(type.value, payload.subarray(body, body + length));
    if (value === undefined) return undefined;
    values.push(value);
    body += length;
  }
  return body === payload.length ? values : undefined;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];
const FLOAT = 7;

/** Undefined for what the engine reserves, and for bytes that are no text: nothing of ours writes those. */
function toLength(type: number): number | undefined {
  if (type <= 6) return INTEGER_BYTES[type];
  if (type === FLOAT) return 8;
  if (type === 8 || type === 9) return 0;
  return type >= 13 && type % 2 === 1 ? (type - 13) / 2 : undefined;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function findValue(type: number, bytes: Buffer): SqlValue | undefined {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === FLOAT) return bytes.readDoubleBE(0);
  if (type <= 6) return findInteger(bytes);
  try {
    const text = UTF_8.decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function findInteger(bytes: Buffer): number | undefined {
  if (bytes.length <= 6) return bytes.readIntBE(0, bytes.length);
  const value = Number(bytes.readBigInt64BE(0));
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Seven bits a byte, the ninth byte whole; undefined beyond the page, and beyond the numbers that are exact. */
export function readVarint(
  bytes: Buffer,
  offset: number,
): { readonly value: number; readonly next: number } | undefined {
  let value = 0n;
  for (let index = 0; index < 9; index += 1) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    value = index === 8 ? (value << 8n) | BigInt(byte) : (value << 7n) | BigInt(byte & 0x7f);
    if (index === 8 || byte < 0x80) {
      const exact = Number(BigInt.asIntN(64, value));
      return Number.isSafeInteger(exact) ? { value: exact, next: offset + index + 1 } : undefined;
    }
  }
  return undefined;
}
