import {
  quoteName,
  toFinding,
  toPointer,
  type Finding,
  type FindingRule,
  type PathSegment,
} from "./document/finding.ts";

/** The seed's words. */
export const BELONGS_IN_BINDING = "belongs in a Deployment Binding";

/** Words of a key that say where a provider is found, with what right or under which limits. */
const DEPLOYMENT_WORDS = new Set(
  [
    "url uri href endpoint endpoints host hostname port address addresses server origin proxy http https",
    "token secret secrets password passwd pwd passphrase credential credentials auth authorization bearer username headers",
    "dsn database db sqlite postgres postgresql mysql table column columns connection socket jdbc sql query",
    "timeout retention keyset certificate cert",
  ].flatMap((line) => line.split(" ")),
);
/** Words that say it only together. */
const DEPLOYMENT_KEYS = new Set([
  "apikey",
  "accesskey",
  "privatekey",
  "maxbytes",
  "itembytes",
  "baseurl",
  "connectionstring",
]);

/** What to say of a project's unknown key, where it is one of a binding. */
export function explainDeploymentKey(
  path: readonly PathSegment[],
): { readonly rule: FindingRule; readonly message: string } | undefined {
  const key = String(path.at(-1));
  if (!isDeploymentKey(key)) return undefined;
  return { rule: "BINDING_FIELD_IN_PROJECT", message: `${quoteName(key)} ${BELONGS_IN_BINDING}` };
}

function isDeploymentKey(key: string): boolean {
  const words = key
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return DEPLOYMENT_KEYS.has(words.join("")) || words.some((word) => DEPLOYMENT_WORDS.has(word));
}

/** A scheme with `//`, a JDBC or SQLite address, a database file, `user:password@host`. */
const ADDRESS =
  /[a-z][a-z0-9+.-]{1,30}:\/\/|^(?:jdbc|sqlite|file|unix|data):|\.(?:db|db3|sqlite|sqlite3)$|^[^\s@:]+:[^\s@]+@[^\s@]+$/i;

/** Findings for addresses among the values of the project's provider requirements, whatever the key. */
export function findAddresses(
  document: unknown,
  file: string,
  lineOf: (path: readonly PathSegment[]) => number | null,
): readonly Finding[] {
  const providers: unknown = isRecord(document) ? document["providers"] : undefined;
  return listTexts(providers, ["providers"])
    .filter(({ text }) => ADDRESS.test(text.trim()))
    .map(({ path }) =>
      toFinding({
        rule: "BINDING_FIELD_IN_PROJECT",
        file,
        line: lineOf(path),
        pointer: toPointer(path),
        message: `an address ${BELONGS_IN_BINDING}`,
      }),
    );
}

interface PlacedText {
  readonly path: readonly PathSegment[];
  readonly text: string;
}

/** Every text in a JSON value with the path to it. */
export function listTexts(value: unknown, path: readonly PathSegment[]): readonly PlacedText[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => listTexts(item, [...path, index]));
  return isRecord(value) ? Object.entries(value).flatMap(([key, member]) => listTexts(member, [...path, key])) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
