/**
 * Where in a text a credential may be. The whole rule set of the contracts package takes 15 ms for 64 KiB of prose, and a
 * turn has less than one: so literals are searched for first, in lower case and without any look-around (V8 then searches
 * many at once), and what is found is confirmed by a closer look before a rule runs.
 */

/** Words that stand before a secret. A name's own beginning (`api`, `access`, …) is not asked for: more is no fault here. */
const NAME = "pass(?:word|wd|phrase|code)|pwd|secret|密码|口令|token|令牌|密钥|credentials?|_auth|key";
const WORDS = /pass|pwd|secret|密码|口令|token|令牌|密钥|credential|_auth|key|authorization|bearer|basic|cookie/g;

/**
 * Beginnings of credentials known by their form that have nothing in them to look for but letters. Apart, since a search
 * for many pieces steps no further than the shortest of them is long.
 */
const LONG_PREFIXES = /akia|asia|abia|acca|aiza|ya29\.|dapi|hooks\.slack/g;
const SHORT_PREFIXES = /eyj|sg\.|hv[sbr]\.|sk[0-9a-f]{6}/g;
/** In every other form; prose has few of them. */
const MARKS = /[-_=:]/g;

const CONFIRMED_WORD = new RegExp(
  [
    `(?:${NAME})\\\\?["'\`]?[ \\t]{0,3}[=:：]`,
    `(?<=--[a-z_ -]{0,64})(?:${NAME})[ \\t]`,
    `(?<=private )key`,
    `authorization\\\\?["']?[ \\t]{0,3}[:=]|bearer[ \\t]|basic[ \\t]{1,3}[a-z0-9+/]{8}|cookie\\\\?["']?[ \\t]{0,3}:`,
  ].join("|"),
  "y",
);

const CONFIRMED_MARK = new RegExp(
  [
    "(?<=gh[pousr]|github_pat|[rs]k_(?:live|test)|whsec|npm|gsk|r8|hf|do[opr]_v1|shp(?:at|ca|pa|ss)|lin_api|sbp)_",
    "(?<=gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)|xox[abceoprs]|xapp|gocspx|pypi|xai)-|(?<=age)-secret",
    "(?<=(?<![a-z0-9])[as]k)-[a-z0-9]|-u(?:ser)?[ \\t=]|(?<=[as]k|[?&]sig)=",
    `:aa[a-z0-9_-]{32}|:\\/\\/[^\\s/@"'\`<>]{1,385}@`,
  ].join("|"),
  "y",
);

/** Only for prefixes that ordinary text holds often; the others pass as they are. */
const REFUTED_PREFIX = new RegExp(
  [
    "(?:akia|asia|abia|acca)(?![a-z0-9]{16})|eyj(?![a-z0-9_-]{8})|sg\\.(?![a-z0-9_-]{16})|dapi(?![a-f0-9]{32})",
    "sk[0-9a-f]{6}(?![0-9a-f]{26})",
  ].join("|"),
  "y",
);

/** Offsets, ascending, of every place from which a rule could find a credential. Linear in the text. */
export function listCredentialPlaces(text: string): readonly number[] {
  const lowerCase = toLowerCase(text);
  const words = listMatches(WORDS, lowerCase).filter((offset) => isMatch(CONFIRMED_WORD, lowerCase, offset));
  const marks = listMatches(MARKS, lowerCase).filter((offset) => isMatch(CONFIRMED_MARK, lowerCase, offset));
  const prefixes = [LONG_PREFIXES, SHORT_PREFIXES]
    .flatMap((pattern) => listMatches(pattern, lowerCase))
    .filter((offset) => !isMatch(REFUTED_PREFIX, lowerCase, offset));
  return [...words, ...marks, ...prefixes].toSorted((left, right) => left - right);
}

/** Some letters grow when they become small (`İ`), which would move every offset behind them. */
function toLowerCase(text: string): string {
  const lowerCase = text.toLowerCase();
  return lowerCase.length === text.length ? lowerCase : text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

function listMatches(pattern: RegExp, text: string): number[] {
  const offsets: number[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) offsets.push(match.index);
  return offsets;
}

function isMatch(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset;
  return pattern.test(text);
}
