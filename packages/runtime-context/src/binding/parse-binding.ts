import { basename, dirname, resolve } from "node:path";
import { digestOf } from "@loopx/contracts";
import { explainIssues } from "../project/document/explain-issues.ts";
import {
  toFinding,
  toFindingsError,
  toPointer,
  type Finding,
  type FindingRule,
  type PathSegment,
} from "../project/document/finding.ts";
import { findDocumentFormat, parseDocument, type LocatedDocument } from "../project/document/located-document.ts";
import { findSecrets } from "../project/files/scan-text.ts";
import { BINDING_LIMITS, bindingSchema, providerEntrySchema, type BindingDocument } from "./binding-schema.ts";
import {
  BINDING_CONTRACT,
  type DeploymentBinding,
  type ProviderBinding,
  type RetentionRule,
  type SecretReference,
} from "./deployment-binding.ts";
import { parseSecretReference } from "./secret-reference.ts";
import { parseProviderUrl } from "./url-policy.ts";

/** A binding or null, and everything there is to say of its text: null exactly when one finding is an error. */
export interface InspectedBinding {
  readonly binding: DeploymentBinding | null;
  readonly findings: readonly Finding[];
}

/**
 * A Deployment Binding from its text, validated, URLs normalised, paths resolved against its folder, defaults filled in.
 *
 * `path` is absolute and its ending (`.json`, `.jsonc`, `.yaml`) tells the format; messages show its last name. Refuses with
 * `binding_invalid`: the message is the first fault with file, line and pointer, `details.findings` all of them.
 */
export async function parseBinding(
  source: string | Uint8Array,
  options: { readonly path: string },
): Promise<DeploymentBinding> {
  const { binding, findings } = await inspectBinding(source, options);
  if (binding === null) throw toFindingsError("binding_invalid", findings);
  return binding;
}

/** As `parseBinding`, with errors as values. */
export async function inspectBinding(
  source: string | Uint8Array,
  { path }: { readonly path: string },
): Promise<InspectedBinding> {
  const file = basename(path);
  const format = findDocumentFormat(path) ?? "json";
  const parsed = await parseDocument(source, { path: file, format });
  if ("findings" in parsed) return { binding: null, findings: parsed.findings };
  const { document } = parsed;
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  const secrets = findSecrets(text, file).map((finding) => ({ ...finding, hint: SECRET_HINT }));
  const written = bindingSchema.safeParse(document.value);
  const faults: Fault[] = [];
  const folder = dirname(resolve(path));
  const report: Report = (fault) => faults.push(fault);
  if (!written.success) {
    const context = { file, value: document.value, schema: bindingSchema, lineOf: await document.locate() };
    const issues = explainIssues(written.error.issues, context);
    lookThrough(document.value, folder, report);
    return { binding: null, findings: [...issues, ...(await placeFaults(faults, document, file)), ...secrets] };
  }
  const binding = toBinding(written.data, folder, report);
  const findings = [...(await placeFaults(faults, document, file)), ...secrets];
  return { binding: findings.length === 0 ? binding : null, findings };
}

const SECRET_HINT = "give it as env:NAME or file:PATH";

interface Fault {
  readonly rule: FindingRule;
  readonly path: readonly PathSegment[];
  readonly message: string;
}

type Report = (fault: Fault) => void;

async function placeFaults(
  faults: readonly Fault[],
  document: LocatedDocument,
  file: string,
): Promise<readonly Finding[]> {
  if (faults.length === 0) return [];
  const lineOf = await document.locate();
  return faults.map(({ path, ...fault }) =>
    toFinding({ ...fault, file, line: lineOf(path), pointer: toPointer(path) }),
  );
}

function toBinding(document: BindingDocument, folder: string, report: Report): DeploymentBinding {
  const entries = Object.entries(document.providers).map(
    ([id, written]) => [id, toProvider(id, written, folder, report)] as const,
  );
  const unmarked: Omit<DeploymentBinding, "revision" | "digest"> = {
    contract: BINDING_CONTRACT,
    id: document.id,
    providers: Object.fromEntries(entries),
    keyset: toReference(document.keyset, folder, () => report(inlineSecret(["keyset"]))),
    audit: document.audit,
  };
  // Nobody remembers to count up: a binding without a revision of its own is named by what it says.
  const revision = document.revision ?? `r-${digestOf(unmarked).slice("sha256:".length, "sha256:".length + 12)}`;
  const binding = { ...unmarked, revision };
  return { ...binding, digest: digestOf(binding) };
}

type WrittenProvider = BindingDocument["providers"][string];

function toProvider(id: string, entry: WrittenProvider, folder: string, report: Report): ProviderBinding {
  const path = ["providers", id];
  const { version: stated, retention, retainSeconds, retainBytes, ...written } = entry;
  const version = stated === undefined ? {} : { version: stated };
  const kept = toRetentionRule({ retention, retainSeconds, retainBytes }, path, report);
  const maxAgeSeconds = written.maxAgeSeconds ?? null;
  if (written.type === "sqlite") {
    const { columns } = written;
    return {
      ...written,
      database: resolve(folder, written.database),
      columns: { ...columns, title: columns.title ?? null, updatedAt: columns.updatedAt ?? null },
      maxAgeSeconds,
      ...kept,
      ...version,
    };
  }
  const url = parseProviderUrl(written.url, written.allowAddresses);
  if ("refused" in url) report({ rule: "URL_REFUSED", path: [...path, "url"], message: url.refused });
  const { secret } = written;
  return {
    ...written,
    url: "url" in url ? url.url : "",
    secret: secret === undefined ? null : toReference(secret, folder, () => report(inlineSecret([...path, "secret"]))),
    maxAgeSeconds,
    ...kept,
    ...version,
  };
}

/** The bounds of what is kept; where nothing is they are a mistake, and would look as if something were. */
function toRetentionRule(
  { retention, ...bounds }: Pick<WrittenProvider, "retention" | "retainSeconds" | "retainBytes">,
  path: readonly PathSegment[],
  report: Report,
): RetentionRule {
  if (retention === "content") {
    const { retainSeconds, retainBytes } = BINDING_LIMITS;
    return {
      retention,
      retainSeconds: bounds.retainSeconds ?? retainSeconds.default,
      retainBytes: bounds.retainBytes ?? retainBytes.default,
    };
  }
  for (const [key, value] of Object.entries(bounds)) {
    if (value === undefined) continue;
    report({
      rule: "NOT_USED",
      path: [...path, key],
      message: 'bounds kept content; set "retention": "content" or leave it out',
    });
  }
  return { retention };
}

/** Reports what is wrong with the parts of a malformed binding that are well-formed themselves. */
function lookThrough(value: unknown, folder: string, report: Report): void {
  const { providers = {}, keyset } = (value ?? {}) as { readonly providers?: unknown; readonly keyset?: unknown };
  for (const [id, written] of Object.entries(providers ?? {})) {
    const entry = providerEntrySchema.safeParse(written);
    if (entry.success) toProvider(id, entry.data, folder, report);
  }
  if (typeof keyset === "string") toReference(keyset, folder, () => report(inlineSecret(["keyset"])));
}

/** What stands in for a reference that was refused; the binding that holds it is never handed out. */
const NO_REFERENCE: SecretReference = { kind: "env", name: "_" };

function toReference(text: string, folder: string, refuse: () => void): SecretReference {
  const reference = parseSecretReference(text, folder);
  if (reference === undefined) refuse();
  return reference ?? NO_REFERENCE;
}

function inlineSecret(path: readonly PathSegment[]): Fault {
  return { rule: "INLINE_SECRET", path, message: "takes env:NAME or file:PATH; a secret is never written here" };
}
