import { readFileSync } from "node:fs";

const HEADER_BYTES = 100;
const USUAL_PAGE_SIZE = 4096;
/** The kinds of pages of a B-tree of rows (https://www.sqlite.org/fileformat2.html, 1.6). */
const INTERIOR = 0x05;
const LEAF = 0x0d;

/** The bytes of a SQLite file by page. Nothing in them is believed: each number is held against the size of what it is in. */
export interface PageFile {
  readonly pageCount: number;
  /** Bytes of a page that the engine uses. */
  readonly usableSize: number;
  /** Page `number`, from 1; undefined for one that is not there. */
  page(number: number): Buffer | undefined;
}

export function readPageFile(path: string): PageFile {
  const bytes = readFileSync(path);
  const pageSize = findPageSize(bytes);
  const pageCount = Math.ceil(bytes.length / pageSize);
  return {
    pageCount,
    // No store of ours reserves bytes at the end of its pages.
    usableSize: pageSize,
    page: (number) => {
      if (!Number.isSafeInteger(number) || number < 1 || number > pageCount) return undefined;
      const page = bytes.subarray((number - 1) * pageSize, number * pageSize);
      return page.length === pageSize ? page : Buffer.concat([page, Buffer.alloc(pageSize - page.length)]);
    },
  };
}

const MAGIC = Buffer.from("SQLite format 3\0");

/** Where the header is lost, the size that SQLite takes unasked, which is that of every store of ours. */
function findPageSize(bytes: Buffer): number {
  const isHeader = bytes.length >= HEADER_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC);
  const said = isHeader ? bytes.readUInt16BE(16) : 0;
  const size = said === 1 ? 65_536 : said;
  const isSize = size >= 512 && (size & (size - 1)) === 0 && bytes.length % size === 0;
  return isSize ? size : USUAL_PAGE_SIZE;
}

/** A page of a tree of rows: where its cells begin, and for an interior page its last child. */
export interface TreePage {
  readonly kind: "interior" | "leaf";
  readonly bytes: Buffer;
  readonly cellOffsets: readonly number[];
  readonly lastChild: number;
}

/** Undefined for what is no page of a tree of rows, or is damaged where it says what it holds. */
export function findTreePage(file: PageFile, number: number): TreePage | undefined {
  const bytes = file.page(number);
  if (bytes === undefined) return undefined;
  const start = number === 1 ? HEADER_BYTES : 0;
  const type = bytes[start];
  if (type !== INTERIOR && type !== LEAF) return undefined;
  const headerBytes = type === INTERIOR ? 12 : 8;
  const cellCount = bytes.readUInt16BE(start + 3);
  const cellsEnd = start + headerBytes + 2 * cellCount;
  if (cellsEnd > file.usableSize) return undefined;
  const cellOffsets = Array.from({ length: cellCount }, (_, index) =>
    bytes.readUInt16BE(start + headerBytes + 2 * index),
  );
  const lastChild = type === INTERIOR ? bytes.readUInt32BE(start + 8) : 0;
  return { kind: type === INTERIOR ? "interior" : "leaf", bytes, cellOffsets, lastChild };
}

/**
 * The pages that hold nothing any more: what stands in them was deleted. None where the list of them is damaged: then a row that
 * was deleted may come back, where no other row has its key.
 */
export function listFreePages(file: PageFile): ReadonlySet<number> {
  const none: ReadonlySet<number> = new Set();
  const head = file.page(1);
  if (head === undefined) return none;
  const pages = new Set<number>();
  for (let trunk = head.readUInt32BE(32); trunk !== 0;) {
    const bytes = file.page(trunk);
    const count = bytes?.readUInt32BE(4) ?? 0;
    if (bytes === undefined || pages.has(trunk) || count > file.usableSize / 4 - 2) return none;
    pages.add(trunk);
    for (let index = 0; index < count; index += 1) pages.add(bytes.readUInt32BE(8 + 4 * index));
    trunk = bytes.readUInt32BE(0);
  }
  return pages.size === head.readUInt32BE(36) ? pages : none;
}
