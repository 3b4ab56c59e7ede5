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
const SUSPECT = new RegExp(String.raw`\r\n|[${ACTING}${INVISIBLE}]`, "gu");
const IS_SUSPECT = new RegExp(SUSPECT.source, "u");
const IS_ACTING = new RegExp(`[${ACTING}]`, "u");

/** Signs of Arabic, Syriac and Kaithi that Unicode counts as formats and every font shows. */
const VISIBLE_FORMAT = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

const VARIATION_SELECTOR = /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const ENDS_WITH_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const EMOJI = /\p{Extended_Pictographic}/u;
const JOINING_SCRIPTS = [
  ..."Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada".split(" "),
  ..."Malayalam Sinhala Khmer Myanmar Tibetan Balinese Javanese".split(" "),
];
const JOINING = new RegExp(
  String.raw`^(?!${IS_SUSPECT.source})[${JOINING_SCRIPTS.map((script) => String.raw`\p{Script_Extensions=${script}}`).join("")}]`,
  "u",
);

/**
 * Makes provider text safe to show to a model, a terminal or a person.
 *
 * Control characters become U+FFFD; bidirectional, zero-width, tag, private-use and other invisible characters go. Tab and
 * line feed stay, CR LF becomes LF uncounted. Joiners stay inside emoji and between letters of scripts that need them, a
 * variation selector behind a visible character. Linear in the length; doing it again changes nothing.
 */
export function neutraliseText(text: string): NeutralisedText {
  if (PLAIN.test(text)) return { text, count: 0 };
  let count = 0;
  const neutralised = text.replace(SUSPECT, (found, offset: number) => {
    if (found === "\r\n") return "\n";
    if (isKept(found, text, offset)) return found;
    count += 1;
    return IS_ACTING.test(found) ? "\ufffd" : "";
  });
  return { text: neutralised, count };
}

/** What stands beside decides, and none of it is a character that goes: so nothing is kept for a neighbour that isn't. */
function isKept(found: string, text: string, offset: number): boolean {
  const before = characterBefore(text, offset);
  const after = characterAt(text, offset + found.length);
  if (found === "\u200d" && EMOJI.test(after) && ENDS_WITH_EMOJI.test(text.slice(Math.max(0, offset - 3), offset))) {
    return true;
  }
  if (found === "\u200d" || found === "\u200c") return JOINING.test(before) && JOINING.test(after);
  if (VARIATION_SELECTOR.test(found)) return before !== "" && !/\s/.test(before) && !IS_SUSPECT.test(before);
  return VISIBLE_FORMAT.test(found);
}

function characterAt(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

function characterBefore(text: string, offset: number): string {
  const isPair = /[\udc00-\udfff]/.test(text.charAt(offset - 1)) && /[\ud800-\udbff]/.test(text.charAt(offset - 2));
  return text.slice(offset - (isPair ? 2 : 1), offset);
}
