/**
 * Where in a text a credential may be. The whole rule set of the contracts package takes 15 ms for 64 KiB of prose, and a
 * turn has less than one: so what every match has in it is searched for first, and what is found is confirmed by a closer
 * look before a rule runs. Single characters are searched for natively, pieces without any look-around (V8 then searches
 * many at once).
 */

/** Words that stand before a secret. A name's own beginning (`api`, `access`, …) is not asked for: more is no fault here. */
const NAME = "pass(?:word|wd|phrase|code)|pwd|secret|密码|口令|token|令牌|密钥|credentials?|_auth|key";
const FLAG_WORDS = /pass|pwd|secret|密码|口令|token|令牌|密钥|credential|_auth|key/g;
const CONFIRMED_FLAG = new RegExp(`(?<=--[a-z_ -]{0,64})(?:${NAME})[ \\t]`, "y");

/** Words that need no sign behind them. */
const WORDS = /bearer|basic|private key/g;
const CONFIRMED_WORD = /bearer[ \t]|basic[ \t]{1,3}[a-z0-9+/]{8}|private key/y;

/** Signs behind a name. */
const SIGNS = ["=", ":", "："];
const CONFIRMED_SIGN = new RegExp(`(?<=(?:${NAME}|authorization|cookie)\\\\?["'\`]?[ \\t]{0,3})[=:：]`, "y");

/**
 * Beginnings of credentials known by their form that have nothing in them to look for but letters, in the case that their
 * rules ask for. Apart, since a search for many pieces steps no further than the shortest of them is long.
 */
const LONG_PREFIXES = /AKIA|ASIA|ABIA|ACCA|AIza|ya29\.|dapi|hooks\.slack/g;
const SHORT_PREFIXES = /eyJ|SG\.|hv[sbr]\.|SK[0-9a-f]{6}/g;
/** Only for prefixes that ordinary text holds often; the others pass as they are. */
const REFUTED_PREFIX =
  /A(?:KIA|SIA|BIA|CCA)(?![A-Z0-9]{16})|eyJ(?![\w-]{8})|SG\.(?![\w-]{16})|dapi(?![a-f0-9]{32})|SK[0-9a-f]{6}(?![0-9a-f]{26})/y;

/** In every other form; prose has few of them. */
const MARKS = ["-", "_", "=", ":"];
const CONFIRMED_MARK = new RegExp(
  [
    "(?<=gh[pousr]|github_pat|[rs]k_(?:live|test)|whsec|npm|gsk|r8|hf|do[opr]_v1|shp(?:at|ca|pa|ss)|lin_api|sbp)_",
    "(?<=gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)|xox[abceoprs]|xapp|gocspx|pypi|xai)-|(?<=age)-secret",
    "(?<=(?<![a-z0-9])[as]k)-[a-z0-9]|-u(?:ser)?[ \\t=]|(?<=[as]k|[?&]sig)=",
    `:aa[a-z0-9_-]{32}|:\\/\\/[^\\s/@"'\`<>]{1,385}@`,
  ].join("|"),
  "y",
);

/** Offsets, ascending, of every place from which a rule could find a credential. Linear in the text. */
export function listCredentialPlaces(text: string): readonly number[] {
  const lowerCase = toLowerCase(text);
  const flags = lowerCase.includes("--") ? listConfirmed(FLAG_WORDS, CONFIRMED_FLAG, lowerCase) : [];
  const words = listConfirmed(WORDS, CONFIRMED_WORD, lowerCase);
  const signs = SIGNS.flatMap((sign) => listSigns(sign, CONFIRMED_SIGN, lowerCase));
  const marks = MARKS.flatMap((mark) => listSigns(mark, CONFIRMED_MARK, lowerCase));
  const prefixes = [LONG_PREFIXES, SHORT_PREFIXES]
    .flatMap((pattern) => listMatches(pattern, text))
    .filter((offset) => !isMatch(REFUTED_PREFIX, text, offset));
  return [...flags, ...words, ...signs, ...marks, ...prefixes].toSorted((left, right) => left - right);
}

/** Some letters grow when they become small (`İ`), which would move every offset behind them. */
function toLowerCase(text: string): string {
  const lowerCase = text.toLowerCase();
  return lowerCase.length === text.length ? lowerCase : text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

function listConfirmed(pattern: RegExp, confirmed: RegExp, text: string): number[] {
  return listMatches(pattern, text).filter((offset) => isMatch(confirmed, text, offset));
}

function listMatches(pattern: RegExp, text: string): number[] {
  const offsets: number[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) offsets.push(match.index);
  return offsets;
}

function listSigns(sign: string, confirmed: RegExp, text: string): number[] {
  const offsets: number[] = [];
  for (let offset = text.indexOf(sign); offset !== -1; offset = text.indexOf(sign, offset + 1)) {
    if (isMatch(confirmed, text, offset)) offsets.push(offset);
  }
  return offsets;
}

function isMatch(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset;
  return pattern.test(text);
}
