import {
  integer,
  oneOf,
  relativePath,
  text,
  texts,
  unused,
  type ManifestRule,
  type ManifestRules,
} from "./manifest-rule.ts";

export const MANIFEST_SCHEMA = "loopx_extension_manifest_v0";
/** The version of the interface between LoopX and its extensions. */
const API_VERSION = 1;

const ID = {
  pattern: /^(?=.{1,48}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  says: "must be lower-case words of letters and digits with - between them, at most 48 characters",
};
const PROTOCOL = {
  pattern: /^[a-z][a-z0-9_]{0,63}_v[0-9]+$/,
  says: "must be lower-case words with _ between them and end with _v and a number",
};

const required = (rule: Pick<ManifestRule, "check">): ManifestRule => ({ ...rule, isRequired: true });

/** Tables are looked at by rules of their own. */
const elsewhere: ManifestRule = { check: () => undefined };

export const TOP_RULES: ManifestRules = {
  schema_version: required(oneOf([MANIFEST_SCHEMA])),
  id: required(text(48, ID)),
  version: required(text(64)),
  requires_loopx_api: required({ check: sayApiFault }),
  permissions: texts("no empty text"),
  runtime: { ...elsewhere, isRequired: true },
  provides: elsewhere,
  implements: elsewhere,
  documentation: elsewhere,
  presentation_surfaces: unused("has no use in this LoopX: no surface takes what an extension draws; leave it out"),
};

export const RUNTIME_RULES: ManifestRules = {
  protocol: required(text(80, PROTOCOL)),
  entrypoint: required(text(4096)),
  python_module: unused("is not supported: name a program with entrypoint, in Python one that begins with #!"),
  args: texts("empty texts too"),
  doctor_args: texts("empty texts too"),
  required_permissions: texts("no empty text"),
  timeout_seconds: integer(1, 120),
};

export const IMPLEMENTS_RULES: ManifestRules = {
  capability_id: required(text(48, ID)),
  protocol: required(text(80, PROTOCOL)),
};

export const PROVIDES_RULES: ManifestRules = {
  id: required(text(48, ID)),
  kind: required(text(64)),
  title: required(text(120)),
  status: required(text(64)),
  visibility: required(oneOf(["public", "internal"])),
  user_value: required(text(400)),
  next_real_step: required(text(400)),
  real_world_anchor: text(400),
  entry_command: text(400),
  integration_profile: unused("has no use in this LoopX: goals bind no capability of an extension; leave it out"),
};

export const DOCUMENTATION_RULES: ManifestRules = {
  source_root: required(relativePath()),
  site_root: required(relativePath()),
  canonical: required(relativePath({ pattern: /\.md$/, says: "must name a .md file" })),
  aliases: elsewhere,
};

export const ALIAS_RULES: ManifestRules = { source: required(relativePath()), site: required(relativePath()) };

/** A comma list of `>=1`, `<2`, `==1` or `1`, all of which must hold. */
function sayApiFault(value: unknown): string | undefined {
  if (typeof value !== "string") return 'must be a text such as ">=1,<2"';
  const clauses = value.split(",").map((clause) => /^(>=|<=|==|>|<)?\s*(\d{1,9})$/.exec(clause.trim()));
  if (clauses.includes(null)) return 'must be a list such as ">=1,<2"';
  const doesHold = clauses.every((clause) => isMet(clause?.[1] ?? "==", Number(clause?.[2])));
  return doesHold ? undefined : `is not met: this LoopX has version ${API_VERSION} of the extension interface`;
}

function isMet(operator: string, wanted: number): boolean {
  switch (operator) {
    case ">=":
      return API_VERSION >= wanted;
    case "<=":
      return API_VERSION <= wanted;
    case ">":
      return API_VERSION > wanted;
    case "<":
      return API_VERSION < wanted;
    default:
      return API_VERSION === wanted;
  }
}
