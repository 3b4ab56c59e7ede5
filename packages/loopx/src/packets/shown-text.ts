import { cutText, redact, type SensitiveKind } from "@loopx/contracts";

/** How much of a stored text a row shows. */
export interface TextRoom {
  readonly graphemes: number;
  /** Of its JSON form: a few graphemes may be any number of bytes. */
  readonly bytes: number;
}

export const ROW_TEXT: TextRoom = { graphemes: 240, bytes: 960 };
/** Where rows of several lists share a page. */
export const DIGEST_TEXT: TextRoom = { graphemes: 80, bytes: 320 };

/** Shows stored texts masked and cut, and counts what was masked: what the packet's boundary says. */
export interface TextView {
  readonly show: (text: string) => string;
  readonly masked: Readonly<Record<SensitiveKind, number>>;
  /** Counts what another view of the same packet masked. */
  readonly add: (other: Readonly<Record<SensitiveKind, number>>) => void;
}

export function createTextView(room: TextRoom): TextView {
  const masked = { local_path: 0, credential: 0 };
  const add: TextView["add"] = (found) => {
    masked.local_path += found.local_path;
    masked.credential += found.credential;
  };
  return {
    masked,
    add,
    show: (text) => {
      const redacted = redact(text);
      add(redacted.found);
      return cutToRoom(redacted.text, room);
    },
  };
}

/** Ends with an ellipsis where something was cut. */
export function cutToRoom(text: string, room: TextRoom): string {
  for (let graphemes = room.graphemes; ; graphemes = Math.floor(graphemes / 2)) {
    const cut = cutText(text, graphemes);
    const shown = cut.isTruncated ? `${cut.text}…` : cut.text;
    if (Buffer.byteLength(JSON.stringify(shown)) <= room.bytes || graphemes === 0) return shown;
  }
}
