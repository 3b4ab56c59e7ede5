/** Text in which nothing hides or acts, and how many characters that took. */
export interface NeutralisedText {
  readonly text: string;
  readonly count: number;
}

const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** These act on a terminal or break a line, so a reader is shown that something was there: controls, separators, half pairs. */
const ACTING = String.raw`\x00-\x08\x0b-\x1f\x7f-\x9f\p{Zl}\p{Zp}\ud800-\udfff`;
/** These show nothing: formats, private use, what fonts leave out. */
const INVISIBLE = String.raw`\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}`;
/** Signs of Arabic, Syriac and Kaithi that Unicode counts as formats and every font shows. */
const VISIBLE_FORMAT = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
const SELECTORS = String.raw`\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
const VARIATION_SELECTOR = new RegExp(`[${SELECTORS}]`, "u");
const CAN_VARY = new RegExp(String.raw`^[^\s${ACTING}${INVISIBLE}]`, "u");

const ZERO_WIDTH_NON_JOINER = "\u200c";
const ZERO_WIDTH_JOINER = "\u200d";
/** Groups: a run of what acts, a run of what is never kept; else one character whose neighbours decide. */
const SUSPECT = new RegExp(
  String.raw`([${ACTING}]+)|((?:(?![\u200c\u200d${VISIBLE_FORMAT}${SELECTORS}])[${INVISIBLE}])+|[\u200c\u200d]{2,})|[${INVISIBLE}]`,
  "gu",
);
const EMOJI = /^\p{Extended_Pictographic}/u;
const ENDS_WITH_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const JOINING_SCRIPTS = [
  ..."Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada".split(" "),
  ..."Malayalam Sinhala Khmer Myanmar Tibetan Balinese Javanese".split(" "),
];
const JOINING = new RegExp(
  String.raw`^(?![${ACTING}${INVISIBLE}])[${JOINING_SCRIPTS.map((script) => String.raw`\p{Script_Extensions=${script}}`).join("")}]`,
  "u",
);

/** True of a text of printable ASCII, tabs and line feeds: there is nothing to neutralise in it. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * Makes provider text safe to show to a model, a terminal or a person.
 *
 * Control characters become U+FFFD; bidirectional, zero-width, tag, private-use and other invisible characters go. Tab and
 * line feed stay, CR LF becomes LF uncounted. Joiners stay inside emoji and between letters of scripts that need them, a
 * variation selector behind a visible character. Linear in the length; doing it again changes nothing.
 */
export function neutraliseText(text: string): NeutralisedText {
  if (isPlainText(text)) return { text, count: 0 };
  const lines = text.replaceAll("\r\n", "\n");
  let count = 0;
  const neutralised = lines.replace(SUSPECT, (found, acting?: string, hidden?: string, offset = 0) => {
    if (acting !== undefined) {
      count += acting.length;
      return "\ufffd".repeat(acting.length);
    }
    if (hidden === undefined && isKept(found, lines, offset)) return found;
    count += countCodePoints(found);
    return "";
  });
  return { text: neutralised, count };
}

/** What stands beside decides, and none of it is a character that goes: so nothing is kept for a neighbour that isn't. */
function isKept(found: string, text: string, offset: number): boolean {
  if (found === ZERO_WIDTH_JOINER || found === ZERO_WIDTH_NON_JOINER) {
    const after = characterAt(text, offset + 1);
    if (found === ZERO_WIDTH_JOINER && EMOJI.test(after)) {
      return ENDS_WITH_EMOJI.test(text.slice(Math.max(0, offset - 3), offset));
    }
    return JOINING.test(after) && JOINING.test(characterBefore(text, offset));
  }
  return !VARIATION_SELECTOR.test(found) || CAN_VARY.test(characterBefore(text, offset));
}

function characterAt(text: string, offset: number): string {
  return text.slice(offset, offset + (isHighSurrogate(text.charCodeAt(offset)) ? 2 : 1));
}

function characterBefore(text: string, offset: number): string {
  return text.slice(offset - (offset > 1 && isHighSurrogate(text.charCodeAt(offset - 2)) ? 2 : 1), offset);
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let offset = 0; offset < text.length; offset += 1) {
    if (!isHighSurrogate(text.charCodeAt(offset))) count += 1;
  }
  return count;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
