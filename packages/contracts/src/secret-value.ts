/**
 * What stands after `password=`, `token:` and the like: a real value, or a placeholder, a reference, code, prose?
 *
 * Task texts for coding agents are full of such words, and a credential in one is refused before anything is stored, so a
 * false alarm stops honest work. Without a digit a value counts only where words are unlikely.
 */
export interface SecretValueContext {
  /** Passwords are short and may be a word or a number; generated tokens and keys are neither. */
  readonly isPassword: boolean;
  /** Nothing but the sign stands between name and value, or the value is in quotes: no sentence is written like that. */
  readonly isTight: boolean;
}

/** True when the value, at most 256 characters of it, looks like a credential and not like anything else. */
export function isSecretValue(raw: string, context: SecretValueContext): boolean {
  const value = raw.replace(/[.:!?\\]{1,256}$/, "");
  if (PLACEHOLDER.test(value) || NOT_SECRET.test(value)) return false;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  if (!hasLetter) return isSecretNumber(value, context);
  if (isWords(value)) return !hasDigit && context.isPassword && context.isTight && isPassphrase(value);
  if (hasDigit) return hasSecretDigits(value, context);
  return context.isTight && isSecretWord(value, context);
}

/** Angle brackets, shell and template variables, references to where the value is kept, masks, paths, fill-in words. */
const PLACEHOLDER = new RegExp(
  [
    String.raw`^[<$%{[@#*~/\\]`,
    String.raw`^\.{1,2}[/\\]`,
    String.raw`^\.{2}`,
    String.raw`^[A-Za-z]:[\\/]`,
    String.raw`^(?:env|file|vault|op|ref|secretref|arn|aws-sm|gcp-sm|keyring|keychain|todo|turn|project)[:_]`,
    String.raw`^(?:process|os|env|import|secrets|vars|settings|config|self|this)\.`,
    // One character repeated: xxxxxxxx, ********, 00000000.
    String.raw`^(.)\1{3,255}$`,
    String.raw`(?:^|[^A-Za-z])(?:your|example|placeholder|redacted|changeme|change[_-]me|dummy|sample|insert|replace|masked)`,
  ].join("|"),
  "i",
);

const ALGORITHM = "sha|md|hs|rs|es|ps|aes|base|utf|oauth|argon|ed|rsa|hmac|pbkdf|rfc|iso|tls|ssl|http|ipv|v|x";
/** Algorithm and protocol names, versions, ticket numbers, dates, numbers with a unit, calls and comparisons. */
const NOT_SECRET = new RegExp(
  [
    String.raw`^(?:${ALGORITHM})[-_.]?\d{1,5}(?![A-Za-z0-9]{6})`,
    String.raw`^[A-Z]{2,10}-\d{1,6}$`,
    String.raw`^\d{4}-\d{2}-\d{2}`,
    String.raw`^\d{1,12}(?:ms|s|m|h|d|b|kb|mb|gb|px|%|bits?|bytes?|chars?)`,
    String.raw`^1password`,
    String.raw`^(?:password|passwd|passphrase|secret|token|key|value|string|param|arg|field)\d{0,2}$`,
    String.raw`^[A-Za-z_]\w{0,64}(?:=>|==.|\()`,
  ].join("|"),
  "i",
);

/** Words joined by punctuation, as in names, references and module paths: `my_api_key2`, `config.token`, `app-secret-v2`. */
function isWords(value: string): boolean {
  const parts = value.split(/[_./:-]/);
  return (
    parts.length > 1 &&
    parts.every((part, index) => /^(?:[A-Za-z]+\d{0,2}|\d{0,4})$/.test(part) && (index > 0 || part !== ""))
  );
}

/** Four or more plain lower-case words: `correct-horse-battery-staple`, not `reset-password-form`. */
function isPassphrase(value: string): boolean {
  return /^[a-z]{3,12}(?:[-_.][a-z]{3,12}){3,9}$/.test(value) && !/pass|secret|token|key/.test(value);
}

function isSecretNumber(value: string, { isPassword }: SecretValueContext): boolean {
  return /^\d+$/.test(value) && value.length >= (isPassword ? 6 : 20);
}

function hasSecretDigits(value: string, { isPassword }: SecretValueContext): boolean {
  if (isPassword) return value.length >= 6;
  // `userToken2`: a name with a number.
  return value.length >= 8 && !/^[A-Za-z]{1,11}\d$/.test(value);
}

/** Words a schema, a message or a program puts after a credential's name, alone or run together. */
const SCHEMA_WORDS =
  /^(?:access|anonymous|auth|bearer|boolean|change|client|config|cookie|default|disabled|empty|enabled|encrypted|expired|field|form|generated|hash|hashed|header|hidden|input|invalid|internal|key|login|management|manager|missing|mode|name|none|null|number|object|optional|param|parameter|pass|password|plaintext|policy|production|protected|provider|public|random|refresh|request|required|reset|response|rotation|secret|server|service|session|staging|string|text|token|type|undefined|unknown|user|username|valid|validation|value|vault){1,3}$/i;

/** True for `<…>`, `$NAME`, `env:NAME`, `****`, `your-token` and the like. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Letters without a digit. */
function isSecretWord(value: string, { isPassword }: SecretValueContext): boolean {
  if (!/^[A-Za-z]+$/.test(value)) return value.length >= (isPassword ? 8 : 16) && /[!@#$%^*?~+/=]/.test(value);
  if (SCHEMA_WORDS.test(value)) return false;
  const isOneCase = value === value.toLowerCase() || value === value.toUpperCase();
  if (isOneCase) return value.length >= (isPassword ? 8 : 16);
  // `userToken` has humps of three letters and more; a random string hasn't.
  const isCamelCase = /^[A-Z]?[a-z]{2,64}(?:[A-Z]{1,4}[a-z]{2,64}){0,9}[A-Z]{0,4}$/.test(value);
  return value.length >= 12 && !isCamelCase;
}
