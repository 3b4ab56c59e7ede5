import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { makeDirectories, removeEntry, syncDirectory, toFileError, writeFileAtomically } from "@loopx/store";
import { parsePostgresUrl } from "@loopx/store/postgres";
import { parseSecretReference } from "@loopx/runtime-context";
import { resolveHomeDirectory } from "../project/home-location.ts";
import { STORE_REFERENCE_LABEL, toStoreReferencePath } from "../project/project-roots.ts";
import { findFileContent } from "../project/regular-file.ts";

/** Where a project's state is kept when a server keeps it: what `.loopx/store.json` holds. No password is in it. */
export interface StoreReference {
  readonly url: string;
  /** `env:NAME` or `file:PATH`, from the project's root; null where the server asks for none. */
  readonly password: string | null;
  /** The project's schema in that database. */
  readonly schema: string;
}

const SCHEMA_VERSION = "loopx_store_v1";
const MAX_BYTES = 16_384;

/**
 * The reference of a root, as this machine has recorded it.
 *
 * A clone may bring a reference that sends a password to a stranger, so one is followed only where the home holds the very
 * same bytes for this root. Refuses with `project_not_trusted`, and with `store_corrupt` what is no reference.
 */
export function loadStoreReference(root: string, ambient: Ambient): StoreReference {
  const text = findFileContent(toStoreReferencePath(root), MAX_BYTES)?.toString("utf8");
  if (text === undefined) throw toDamagedError();
  if (findFileContent(toRecordPath(root, ambient), MAX_BYTES)?.toString("utf8") !== text) {
    throw new LoopxError("project_not_trusted", {
      message: `${STORE_REFERENCE_LABEL} was not written on this machine, so the server it names is not asked`,
      hint: `if you know the server: move ${STORE_REFERENCE_LABEL} away, then loopx connect '--store=<url>' '--project-id=<id>' at your own terminal`,
    });
  }
  return parseStoreReference(text);
}

/** Records a reference with the home, then puts it in its place: in the other order a kill would leave one that nobody follows. */
export async function saveStoreReference(root: string, reference: StoreReference, ambient: Ambient): Promise<void> {
  const text = `${JSON.stringify({ schema_version: SCHEMA_VERSION, ...reference }, null, 2)}\n`;
  try {
    makeDirectories(join(resolveHomeDirectory(ambient), RECORDS_DIRECTORY), 0o700);
  } catch (error) {
    throw toFileError(error, "the folder for store references in the LoopX home");
  }
  await writeFileAtomically(toRecordPath(root, ambient), text, { mode: 0o600, label: "the record of the store" });
  await writeFileAtomically(toStoreReferencePath(root), text, { mode: 0o600, label: STORE_REFERENCE_LABEL });
}

/** Takes a root's reference away: from then on the file in it is its store. The record with the home leads nowhere then. */
export function removeStoreReference(root: string, ambient: Ambient): void {
  removeEntry(toStoreReferencePath(root));
  syncDirectory(dirname(toStoreReferencePath(root)));
  removeEntry(toRecordPath(root, ambient));
}

/** Whether two references lead to the same schema. */
export function isSameStore(left: StoreReference, right: StoreReference): boolean {
  return left.url === right.url && left.schema === right.schema;
}

const RECORDS_DIRECTORY = "stores";

function toRecordPath(root: string, ambient: Ambient): string {
  const name = createHash("sha256").update(root).digest("hex");
  return join(resolveHomeDirectory(ambient), RECORDS_DIRECTORY, `${name}.json`);
}

function parseStoreReference(text: string): StoreReference {
  const fields = parseObject(text);
  const { url, password, schema } = fields;
  const isKnown = fields["schema_version"] === SCHEMA_VERSION && Object.keys(fields).length === 4;
  if (!isKnown || typeof url !== "string" || typeof schema !== "string") throw toDamagedError();
  if (password !== null && typeof password !== "string") throw toDamagedError();
  return { url: parsePlainUrl(url), password: password === null ? null : parsePasswordReference(password), schema };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is looked at
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {}
  throw toDamagedError();
}

/** A URL that a file or a command line may hold. Refuses one with a password with `credential_refused`. */
export function parsePlainUrl(url: string): string {
  if (parsePostgresUrl(url, "store.url").password === undefined) return url;
  throw new LoopxError("credential_refused", {
    message: "store.url holds a password; nothing was stored",
    hint: "leave it out and name where it is: '--store-password=env:NAME' or '--store-password=file:PATH'",
    details: { field: "store" },
  });
}

/** `env:NAME` or `file:PATH`. Refuses a password itself with `invalid_value`, and never repeats it. */
export function parsePasswordReference(text: string): string {
  if (parseSecretReference(text, "/") !== undefined) return text;
  throw new LoopxError("invalid_value", {
    message: "the store's password is named by env:NAME or file:PATH, never written out",
    details: { field: "store_password" },
  });
}

function toDamagedError(): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `${STORE_REFERENCE_LABEL} is no reference to a store; it was left as it is`,
    hint: `move ${STORE_REFERENCE_LABEL} away, then loopx connect '--store=<url>' '--project-id=<id>'`,
  });
}
