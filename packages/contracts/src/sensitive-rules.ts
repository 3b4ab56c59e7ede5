import {
  hasKeyBody,
  isAssignedSecret,
  isBasicPair,
  isHeaderSecret,
  isUserFlagSecret,
  isUserinfoSecret,
} from "./secret-match.ts";
import { DELIMITER, endOfAssigned, endOfKeyBlock, endOfPath, endOfToken, startOfKeyBody } from "./sensitive-extent.ts";

export type SensitiveKind = "local_path" | "credential";

/**
 * One shape of sensitive text.
 *
 * `pattern` finds the head; `extent` says where the finding that begins there ends. Heads hold bounded repetitions only and
 * extents walk forward once, so the work is linear in the text whatever it holds.
 *
 * Masking must not lay bare a finding that was none before. So every finding ends before a delimiter, and no head begins
 * with one; and no head asks what does *not* follow it beyond a character that can't begin a finding.
 */
export interface SensitiveRule {
  readonly kind: SensitiveKind;
  /** Left out where the pattern's named groups are the rules. */
  readonly rule?: string;
  /** Group `found` or `quoted`, if any, is where the finding starts, and ends the match. */
  readonly pattern: RegExp;
  /** Lower-case pieces of which every match holds one. Texts without any never compile the pattern. */
  readonly needs?: readonly string[];
  readonly extent: (text: string, start: number, headEnd: number) => number;
  /** For what is known by its end: where it begins; undefined when it is none. */
  readonly reach?: (text: string, start: number) => number | undefined;
  /** False for prose, placeholders and code. Looks at the match only, which is bounded. */
  readonly accepts?: (match: RegExpExecArray) => boolean;
}

/**
 * Credentials known by a prefix, by issuer. Sources: the issuers' documentation of their token formats.
 * Only what gives access is listed: no publishable keys, no client ids.
 */
const TOKEN_FORMATS: Readonly<Record<string, string>> = {
  github_token: String.raw`gh[pousr]_[A-Za-z0-9]{20}|github_pat_[A-Za-z0-9_]{20}`,
  gitlab_token: String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_-]{16}`,
  slack_token: String.raw`xox[abceoprs]-[A-Za-z0-9-]{10}|xapp-[0-9]-[A-Za-z0-9-]{10}`,
  slack_webhook: String.raw`hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9]{6}`,
  aws_access_key: String.raw`A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}`,
  google_key: String.raw`AIza[A-Za-z0-9_-]{30}|ya29\.[A-Za-z0-9_-]{20}|GOCSPX-[A-Za-z0-9_-]{20}`,
  stripe_key: String.raw`[sr]k_(?:live|test)_[A-Za-z0-9]{10}|whsec_[A-Za-z0-9+/]{20}`,
  npm_token: String.raw`npm_[A-Za-z0-9]{30}`,
  pypi_token: String.raw`pypi-(?:AgE[A-Za-z0-9_-]{8}|(?=[A-Za-z_]{0,60}[0-9])[A-Za-z0-9_]{16})`,
  json_web_token: String.raw`eyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{4}`,
  secret_key: [
    String.raw`sk-(?:proj|ant)-[A-Za-z0-9_-]{16}`,
    String.raw`[as]k-(?:(?:or|svcacct|admin|lf)-)?(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9]{10}`,
    String.raw`[as]k-[A-Za-z0-9]{16}`,
    String.raw`gsk_[A-Za-z0-9]{20}|xai-[A-Za-z0-9]{20}|r8_[A-Za-z0-9]{20}`,
  ].join("|"),
  hugging_face_token: String.raw`hf_[A-Za-z0-9]{30}`,
  sendgrid_key: String.raw`SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16}`,
  digitalocean_token: String.raw`do[opr]_v1_[a-f0-9]{40}`,
  shopify_token: String.raw`shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`,
  databricks_token: String.raw`dapi[a-f0-9]{32}`,
  vault_token: String.raw`hv[sbr]\.[A-Za-z0-9_-]{20}`,
  twilio_key: String.raw`SK[0-9a-f]{32}`,
  age_key: String.raw`AGE-SECRET-KEY-1[0-9A-Z]{40}`,
  telegram_token: String.raw`[0-9]{8,10}:AA[A-Za-z0-9_-]{32}`,
  linear_key: String.raw`lin_api_[A-Za-z0-9]{20}`,
  supabase_token: String.raw`sbp_[a-f0-9]{30}`,
};

const PASSWORD_NAME = "pass(?:word|wd|phrase|code)|pwd|secret|密码|口令";
const KEY_NAME =
  "token|令牌|密钥|credentials?|_auth|(?:api|access|secret|private|auth|account|encryption|signing|master|shared[_-]?access)[_\\- ]?key";
/** Short names that are words elsewhere. */
const SHORT_NAME = "(?<![A-Za-z0-9_-])[as]k(?==)|(?<=[?&])sig(?==)";
const NAME = `(?:(?<password>${PASSWORD_NAME})|${KEY_NAME}|${SHORT_NAME})`;
/** Printable ASCII without white space, quotes and delimiters. */
const BARE_VALUE = String.raw`[!#$%*+\-./0-9:=?@A-Z\\^_a-z~]{6,256}`;
const QUOTED_VALUE = String.raw`[!#-&(-;=?-_a-~]{6,256}`;

/** What follows a key's header: a line break, perhaps escaped, and base64 or an armour header; or base64 on the same line. */
const KEY_BODY = String.raw`(?<body>(?:\\[nr]|\s){1,8}(?:[A-Za-z0-9+/=]{24}|[A-Za-z0-9+/=]{4,76}(?=\\[nr]|\s{0,4}(?:\n|$))|Proc-Type|Version:|Comment:))`;

/** Directories at the root of a machine that hold people's files. Alone they are a path too: `/workspace`. */
const PATH_ROOT = "Users|Volumes|private|tmp|var|etc|opt|srv|mnt|root|workspaces?|usr";
/** Also ordinary words, route names or aliases: only with something below them. */
const WORD_ROOT = [
  "home|data|Library|Applications|System|work|builds|cygdrive",
  String.raw`run\/user|nix\/store|github\/workspace|[A-Za-z]\/Users`,
].join("|");
/** Not inside a relative path, a URL, a closing bracket's suffix or a hash route; a compiler flag may stand before it. */
const PATH_START = String.raw`(?:(?<![A-Za-z0-9_.~\-/\\)}\]*#])|(?<=[\s"'\`]-[A-Za-z]))`;
const MORE = `(?=[^${DELIMITER}])`;

/** Paths of this machine, and URLs, whose own paths are not. `url` is matched to be passed over. */
const PATH_FORMATS: Readonly<Record<string, string>> = {
  file_url: String.raw`(?<![A-Za-z0-9+.-])[fF][iI][lL][eE]:\/{1,3}${MORE}`,
  url: String.raw`(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/`,
  posix_path: String.raw`${PATH_START}\/(?:(?:${PATH_ROOT})(?![A-Za-z0-9_]|-(?!-))|(?<!@\/)(?:${WORD_ROOT})\/${MORE})`,
  home_path: String.raw`(?<![A-Za-z0-9_.~\-/\\)}\]])~\/${MORE}`,
  windows_path: String.raw`(?<![A-Za-z0-9])(?:[A-Za-z]:\\{1,2}(?=[A-Za-z0-9_.$%~-])|[A-Zc-f]:\/(?=[A-Za-z0-9_.]))(?:Program Files(?: \(x86\))?|Documents and Settings)?`,
  unc_path: String.raw`(?<![\w\\])\\{2,4}[A-Za-z0-9][\w.$-]{1,63}\\{1,2}(?=[\w$]{2})`,
};

/** The rule for local paths, then those for credentials. */
export type SensitiveRules = readonly [SensitiveRule, ...SensitiveRule[]];

/** Every rule, compiled. Kept behind a function: most commands never look for anything. */
export function compileSensitiveRules(): SensitiveRules {
  return [
    { kind: "local_path", pattern: joinFormats(PATH_FORMATS, ""), extent: endOfPath },
    {
      kind: "credential",
      rule: "private_key",
      needs: ["private key"],
      pattern: new RegExp(
        String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${KEY_BODY}|[ \t]{0,4}(?=\r?\n|$))`,
        "g",
      ),
      extent: endOfKeyBlock,
      accepts: hasKeyBody,
    },
    {
      kind: "credential",
      rule: "private_key_end",
      needs: ["private key"],
      pattern: /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
      reach: startOfKeyBody,
      extent: endOfToken,
    },
    { kind: "credential", pattern: joinFormats(TOKEN_FORMATS, "(?<![A-Za-z0-9])"), extent: endOfToken },
    {
      kind: "credential",
      rule: "url_userinfo",
      needs: ["://"],
      pattern:
        /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/(?<found>[^\s/:@"'`<>]{0,128}:[^\s/@"'`<>]{1,256}|[A-Za-z0-9_-]{20,128})(?=@)/g,
      extent: (_text, _start, headEnd) => headEnd,
      accepts: isUserinfoSecret,
    },
    {
      kind: "credential",
      rule: "authorization_header",
      needs: ["authorization"],
      pattern: new RegExp(
        String.raw`authorization\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?(?:(?<scheme>bearer|basic|token|digest|negotiate|apikey)[ \t]{1,3})?(?<found>${BARE_VALUE})`,
        "gi",
      ),
      extent: endOfToken,
      accepts: isHeaderSecret,
    },
    {
      kind: "credential",
      rule: "bearer_token",
      needs: ["bearer"],
      pattern: /(?<![A-Za-z0-9])bearer[ \t]{1,3}(?<found>[A-Za-z0-9._~+/=-]{16,256})/gi,
      extent: endOfToken,
      accepts: isHeaderSecret,
    },
    {
      kind: "credential",
      rule: "basic_auth",
      needs: ["basic"],
      pattern: /(?<![A-Za-z0-9])basic[ \t]{1,3}(?<found>[A-Za-z0-9+/]{8,256}={0,2})/gi,
      extent: endOfToken,
      accepts: isBasicPair,
    },
    {
      kind: "credential",
      rule: "cookie_header",
      needs: ["cookie"],
      pattern: new RegExp(String.raw`cookie\\?["']?[ \t]{0,3}:[ \t]{0,3}[\w.-]{1,64}=(?<found>${BARE_VALUE})`, "gi"),
      extent: endOfToken,
      accepts: isAssignedSecret,
    },
    {
      kind: "credential",
      rule: "credential_assignment",
      needs: ["=", ":", "："],
      pattern: new RegExp(
        String.raw`${NAME}\\?["'\`]?(?<sign>[ \t]{0,3}(?:=>|:=|={1,3}|:|：)[ \t]{0,3})(?:(?<quote>\\?["'\`])(?<quoted>${QUOTED_VALUE})|(?<found>${BARE_VALUE}))`,
        "gi",
      ),
      extent: endOfAssigned,
      accepts: isAssignedSecret,
    },
    {
      kind: "credential",
      rule: "credential_flag",
      needs: ["--"],
      pattern: new RegExp(
        String.raw`(?<![\w-])--(?:[a-z]{1,20}-){0,2}${NAME}(?<sign>[ \t]{1,3})["']?(?<found>${BARE_VALUE})`,
        "gi",
      ),
      extent: endOfToken,
      accepts: isAssignedSecret,
    },
    {
      kind: "credential",
      rule: "user_flag",
      needs: ["-u", "-user"],
      pattern: new RegExp(
        String.raw`(?<![\w-])(?:-u|--user|--proxy-user)[ \t=]{1,2}["']?[^\s:"'<>]{1,64}:(?<found>${BARE_VALUE})`,
        "g",
      ),
      extent: endOfToken,
      accepts: isUserFlagSecret,
    },
  ];
}

function joinFormats(formats: Readonly<Record<string, string>>, start: string): RegExp {
  const alternatives = Object.entries(formats).map(([rule, source]) => `(?<${rule}>${source})`);
  return new RegExp(`${start}(?:${alternatives.join("|")})`, "g");
}
