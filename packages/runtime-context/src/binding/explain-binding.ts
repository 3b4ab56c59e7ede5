import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import { isLoopxError } from "@loopx/contracts";
import type { ProviderRequirement } from "../project/context-project.ts";
import { toFinding, type Finding } from "../project/document/finding.ts";
import type {
  DeploymentBinding,
  ProviderBinding,
  SecretReference,
  SqliteProviderBinding,
} from "./deployment-binding.ts";
import { describeReference, resolveSecret } from "./secret-reference.ts";
import { parseKeyset } from "../keys/keyset.ts";

/** What a binding does for one provider. */
export interface BoundProvider {
  readonly provider: string;
  /**
   * `bound`: may be called. `refused`: there is an entry that can't be used. `missing`: the project needs it and the binding has
   * no entry (its lookups will be NOT_BOUND). `unused`: an entry for a provider that the project doesn't have.
   */
  readonly state: "bound" | "refused" | "missing" | "unused";
  readonly type: ProviderBinding["type"] | null;
  /** The normalised URL, or the database's file name and table. */
  readonly target: string | null;
  /** `env:NAME` or the file's name; never a value. */
  readonly secret: string | null;
  /** What each answer may hold: the smaller of what project and binding say. */
  readonly maxItems: number | null;
  /** A sentence for each thing that stands in the way, or that is worth knowing. Empty for `bound` without a remark. */
  readonly says: readonly string[];
  /** What to do about each thing that stands in the way: a command where one does it. */
  readonly remedies: readonly string[];
}

export interface ExplainedBinding {
  readonly revision: string;
  readonly digest: string;
  /** The project's providers in their order, then entries that it has no use for. */
  readonly providers: readonly BoundProvider[];
  /** Why traces could not be written under this binding's keys, or null. */
  readonly keysetRefused: string | null;
  readonly keysetRemedies: readonly string[];
}

/**
 * For every provider what is bound, refused or missing, and why. Looks at secrets and files now, contacts nobody.
 * `env` is where `env:` references are looked up.
 */
export function explainBinding(
  needed: readonly Pick<ProviderRequirement, "id" | "maxItems">[],
  binding: DeploymentBinding,
  env: Readonly<Record<string, string | undefined>>,
): ExplainedBinding {
  const ids = new Set(needed.map(({ id }) => id));
  const unused = Object.entries(binding.providers).filter(([id]) => !ids.has(id));
  const keyset = listKeysetFaults(binding.keyset, env);
  return {
    revision: binding.revision,
    digest: binding.digest,
    providers: [
      ...needed.map(({ id, maxItems }) => explainProvider(id, findEntry(binding, id), { maxItems, env })),
      ...unused.map(([id, entry]) => explainUnused(id, entry)),
    ],
    keysetRefused: keyset[0]?.says ?? null,
    keysetRemedies: keyset.map(({ remedy }) => remedy),
  };
}

/**
 * The warning for a binding that lies inside a project: it would be shared, and shipped, with it. Undefined where it doesn't.
 */
export function findBindingInProject(bindingPath: string, projectDirectory: string): Finding | undefined {
  const inside = relative(realpathSync(projectDirectory), realpathSync(dirname(bindingPath)));
  if (inside === ".." || inside.startsWith(`..${sep}`)) return undefined;
  return toFinding({
    severity: "warning",
    rule: "BINDING_IN_PROJECT",
    file: basename(bindingPath),
    message: "the Deployment Binding lies inside the project and would be shared with it",
    hint: "move it out of the project's directory",
  });
}

function findEntry(binding: DeploymentBinding, id: string): ProviderBinding | undefined {
  return Object.hasOwn(binding.providers, id) ? binding.providers[id] : undefined;
}

interface Surroundings {
  readonly maxItems: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function explainProvider(
  provider: string,
  entry: ProviderBinding | undefined,
  { maxItems, env }: Surroundings,
): BoundProvider {
  if (entry === undefined) {
    const says = ["the binding has no entry for it; its lookups are NOT_BOUND and its layers UNAVAILABLE"];
    const remedies = [`add providers.${provider} to the binding`];
    return { provider, state: "missing", type: null, target: null, secret: null, maxItems: null, says, remedies };
  }
  const faults = entry.type === "http" ? listSecretFaults(entry.secret, env) : listDatabaseFaults(provider, entry);
  const remark =
    entry.maxItems < maxItems ? [`the project takes ${maxItems} items, this binding ${entry.maxItems}`] : [];
  return {
    provider,
    state: faults.length === 0 ? "bound" : "refused",
    type: entry.type,
    target: toTarget(entry),
    secret: toSecretLabel(entry),
    maxItems: Math.min(maxItems, entry.maxItems),
    says: [...faults.map(({ says }) => says), ...remark],
    remedies: faults.map(({ remedy }) => remedy),
  };
}

function explainUnused(provider: string, entry: ProviderBinding): BoundProvider {
  const says = ["the project has no provider of this id; the entry is never used"];
  return {
    provider,
    state: "unused",
    type: entry.type,
    target: toTarget(entry),
    secret: toSecretLabel(entry),
    maxItems: null,
    says,
    remedies: [],
  };
}

function toTarget(entry: ProviderBinding): string {
  return entry.type === "http" ? entry.url : `${basename(entry.database)} table ${entry.table}`;
}

function toSecretLabel(entry: ProviderBinding): string | null {
  return entry.type === "http" && entry.secret !== null ? describeReference(entry.secret) : null;
}

/** What stands in the way of a provider, and what to do about it. */
interface BindingFault {
  readonly says: string;
  readonly remedy: string;
}

function listSecretFaults(reference: SecretReference | null, env: Surroundings["env"]): readonly BindingFault[] {
  if (reference === null) return [];
  try {
    resolveSecret(reference, env);
    return [];
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "secret_unavailable") throw error;
    return [{ says: error.message, remedy: error.hint ?? "" }];
  }
}

const MAKE_KEYS = "write new keys with loopx context keys create '--output=<file>'";

/** A keyset is a secret of a form of its own, which nobody writes by hand. */
function listKeysetFaults(reference: SecretReference, env: Surroundings["env"]): readonly BindingFault[] {
  if (reference.kind === "file" && lstatSync(reference.path, { throwIfNoEntry: false }) === undefined) {
    return [{ says: `the secret ${describeReference(reference)} does not exist`, remedy: MAKE_KEYS }];
  }
  const faults = listSecretFaults(reference, env);
  if (faults.length > 0) return faults;
  try {
    parseKeyset(resolveSecret(reference, env).reveal());
    return [];
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return [{ says: `the secret ${describeReference(reference)} holds no keys: ${error.message}`, remedy: MAKE_KEYS }];
  }
}

/** The provider looks at the database itself when it opens it; what can be seen from outside is said here. */
function listDatabaseFaults(provider: string, { database }: SqliteProviderBinding): readonly BindingFault[] {
  const label = `the database ${basename(database)}`;
  const elsewhere = `providers.${provider}.database of the binding`;
  const stats = lstatSync(database, { throwIfNoEntry: false });
  if (stats === undefined) {
    return [{ says: `${label} does not exist`, remedy: `put it where the binding has it, or correct ${elsewhere}` }];
  }
  if (stats.isFile()) return [];
  const says = stats.isSymbolicLink() ? `${label} is a symbolic link` : `${label} is not a regular file`;
  return [{ says, remedy: `name the file itself in ${elsewhere}` }];
}
