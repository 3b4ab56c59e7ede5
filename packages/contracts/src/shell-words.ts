import { LoopxError } from "./loopx-error.ts";
import { LONE_SURROGATE } from "./storable-text.ts";

/** Characters that no POSIX shell gives a meaning to. A leading `=` or `~` has one in zsh, hence the first character's own class. */
const SAFE_WORD = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/**
 * One argument as a word of a POSIX shell line. Safe words stay bare, everything else is single-quoted, newlines included.
 *
 * Refuses NUL and lone surrogates with `text_not_storable`: no process can receive them.
 */
export function quoteForShell(argument: string): string {
  if (SAFE_WORD.test(argument)) return argument;
  if (argument.includes("\0") || LONE_SURROGATE.test(argument)) {
    throw new LoopxError("text_not_storable", { message: "an argument holds NUL or ill-formed Unicode" });
  }
  return `'${argument.replaceAll("'", () => String.raw`'\''`)}'`;
}

/** A line that makes `sh` call exactly this argv. */
export function renderShellCommand(argv: readonly string[]): string {
  return argv
    .map((argument, index) => {
      const quoted = quoteForShell(argument);
      // A bare first word with `=` would be an assignment.
      return index === 0 && quoted === argument && argument.includes("=") ? `'${argument}'` : quoted;
    })
    .join(" ");
}

/**
 * The argv of a shell line: words, single quotes, double quotes, backslashes, line continuations. Nothing is expanded or run.
 *
 * Refuses with `usage` an open quote, a trailing backslash, and everything that a shell would treat as more than a word
 * (`$`, backtick, `| & ; < > ( )`), because passing it on as text would do something else than the line says.
 */
export function parseShellWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let offset = 0;
  while (offset < line.length) {
    const character = line[offset] ?? "";
    if (/[ \t\r\n]/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      offset += 1;
      continue;
    }
    if (character === "#" && word === undefined) throw malformed("an unquoted # that begins a comment");
    const piece = readPiece(line, offset);
    // A line continuation separates nothing and begins nothing.
    if (piece.text !== undefined) word = (word ?? "") + piece.text;
    offset = piece.end;
  }
  if (word !== undefined) words.push(word);
  return words;
}

interface Piece {
  /** Undefined for a line continuation. */
  readonly text: string | undefined;
  readonly end: number;
}

function readPiece(line: string, offset: number): Piece {
  const character = line[offset] ?? "";
  switch (character) {
    case "'":
      return readSingleQuoted(line, offset);
    case '"':
      return readDoubleQuoted(line, offset);
    case "\\":
      return readEscaped(line, offset);
    default:
      if ("$`|&;<>()".includes(character)) throw malformed(`an unquoted ${character}`);
      return { text: character, end: offset + 1 };
  }
}

function readSingleQuoted(line: string, start: number): Piece {
  const close = line.indexOf("'", start + 1);
  if (close === -1) throw malformed("an open single quote");
  return { text: line.slice(start + 1, close), end: close + 1 };
}

function readEscaped(line: string, start: number): Piece {
  const escaped = line[start + 1];
  if (escaped === undefined) throw malformed("a backslash at its end");
  return { text: escaped === "\n" ? undefined : escaped, end: start + 2 };
}

/** Inside double quotes a backslash is special only before `$`, backtick, `"`, `\` and a newline (POSIX 2.2.3). */
function readDoubleQuoted(line: string, start: number): Piece {
  let text = "";
  let offset = start + 1;
  while (line[offset] !== '"') {
    const character = line[offset];
    if (character === undefined) throw malformed("an open double quote");
    if (character === "$" || character === "`") throw malformed(`an expansion (${character}) in double quotes`);
    const next = line[offset + 1] ?? "";
    if (character === "\\" && next !== "" && '$`"\\\n'.includes(next)) {
      text += next === "\n" ? "" : next;
      offset += 2;
    } else {
      text += character;
      offset += 1;
    }
  }
  return { text, end: offset + 1 };
}

function malformed(what: string): LoopxError {
  return new LoopxError("usage", {
    message: `the command line has ${what}`,
    hint: "close every quote, and put text with special characters in single quotes",
  });
}
