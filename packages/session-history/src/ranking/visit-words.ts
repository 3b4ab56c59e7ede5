/** Scripts that put no space between words: runs of them are taken in pairs of characters. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORDS = new RegExp(`[${UNSPACED}\\u30FC]+|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, "gu");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
// oxlint-disable-next-line no-control-regex -- ASCII is the range that is meant
const IS_ASCII = /^[\0-\x7F]*$/;

export interface VisitedWord {
  readonly word: string;
  /** Where it begins, in code units. */
  readonly at: number;
  /** A single character of a run that is taken in pairs: it is found, and doesn't count as a word. */
  readonly isPart: boolean;
}

/**
 * The words of a text in a form that compares: compatible forms made one, lower case, English plurals made
 * singular. Chinese, Japanese, Korean and other
 * unspaced scripts give each pair of neighbours, and each character as a part.
 */
export function visitWords(text: string, visit: (word: VisitedWord) => void): void {
  if (IS_ASCII.test(text)) {
    visitAsciiWords(text.toLowerCase(), visit);
    return;
  }
  for (const { 0: run, index } of text.matchAll(WORDS)) {
    if (IS_UNSPACED.test(run)) visitPairs(run, index, visit);
    else visit({ word: toComparable(run), at: index, isPart: false });
  }
}

/** By hand: nearly all text of a history is ASCII, and a match of a regular expression costs ten times as much. */
function visitAsciiWords(text: string, visit: (word: VisitedWord) => void): void {
  let start = 0;
  // Past the end there is no letter either.
  for (let at = 0; at <= text.length; at += 1) {
    if (isLowerLetterOrDigit(text.charCodeAt(at))) continue;
    if (at > start) visit({ word: toSingular(text.slice(start, at)), at: start, isPart: false });
    start = at + 1;
  }
}

function isLowerLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function visitPairs(run: string, start: number, visit: (word: VisitedWord) => void): void {
  const characters = Array.from(run);
  let at = start;
  for (const [place, character] of characters.entries()) {
    const next = characters[place + 1];
    visit({ word: toComparable(character), at, isPart: characters.length > 1 });
    if (next !== undefined) visit({ word: toComparable(character + next), at, isPart: false });
    at += character.length;
  }
}

function toComparable(word: string): string {
  return toSingular(word.normalize("NFKC").toLowerCase());
}

/** Harman's S-stemmer, three rules for English plurals: what it gets wrong it gets wrong in question and answer alike. */
function toSingular(word: string): string {
  if (!word.endsWith("s") || word.length < 4) return word;
  if (word.endsWith("ies") && !/[ea]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (word.endsWith("es") && !/[aeo]es$/.test(word)) return word.slice(0, -1);
  return /(?:us|ss)$/.test(word) ? word : word.slice(0, -1);
}
