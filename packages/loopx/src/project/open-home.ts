import { existsSync } from "node:fs";
import { join } from "node:path";
import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { loadRegistryProjection } from "@loopx/control-plane";
import { makeDirectories, openSqlite, toFileError, writeFileAtomically, type Database } from "@loopx/store";
import { HOME_STORE, REGISTRY_FILE, resolveHomeDirectory } from "./home-location.ts";
import { HOME_SCHEMA } from "./home-schema.ts";
import { findOwnRegistry } from "./registry-file.ts";
import { withRepairHint } from "./with-repair-hint.ts";

const HOME_LABEL = "the LoopX home store";
/** The projects' own stores are the source of nearly all that the home holds. */
const HOME_REPAIR =
  "carry over what can be read at your own terminal: loopx recover --home; " +
  "or move home.db out of the LoopX home, then connect each project there: loopx connect";

/**
 * The home's store for reading, or undefined when this machine has none yet.
 *
 * One that an older LoopX made is brought up to date first, where it can be written: every command of a turn reads it.
 */
export async function openHomeToRead(directory: string, ambient: Pick<Ambient, "now">): Promise<Database | undefined> {
  const path = join(directory, HOME_STORE);
  if (!existsSync(path)) return undefined;
  return withRepairHint(HOME_REPAIR, async () => {
    try {
      return await openHomeStore(path, "read", ambient);
    } catch (error) {
      if (!isLoopxError(error) || error.code !== "store_needs_migration") throw error;
      await (await openHomeStore(path, "write", ambient)).close();
      return openHomeStore(path, "read", ambient);
    }
  });
}

async function openHomeStore(path: string, access: "read" | "write", ambient: Pick<Ambient, "now">): Promise<Database> {
  return openSqlite({
    path,
    label: HOME_LABEL,
    access,
    journal: "rollback",
    migrations: HOME_SCHEMA,
    create: access === "write",
    now: () => ambient.now(),
  });
}

/**
 * The home's store for writing, created when missing.
 *
 * Refuses with `home_not_writable` and with `foreign_registry`: another program's registry is never written beside.
 */
export async function openHomeToWrite(directory: string, ambient: Pick<Ambient, "now">): Promise<Database> {
  refuseForeignRegistry(directory);
  try {
    makeDirectories(directory, 0o700);
    const home = await withRepairHint(HOME_REPAIR, () => openHomeStore(join(directory, HOME_STORE), "write", ambient));
    if (home.isWritable) return home;
    await home.close();
  } catch (error) {
    if (!isPermissionError(error)) throw toFileError(error, "the LoopX home");
  }
  throw new LoopxError("home_not_writable", {
    message: "the LoopX home cannot be written; nothing was stored",
    hint: "run this one command with your host's approval, or let the host write to the LoopX home (Codex: [sandbox_workspace_write] writable_roots)",
  });
}

function isPermissionError(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  // EEXIST: a file, or a link that leads nowhere, stands where the home should be.
  return ["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT", "EEXIST", "ELOOP", "store_read_only"].includes(String(code));
}

/** Lets `work` read the home, with undefined where there is none. */
export async function withHomeToRead<Result>(
  ambient: Ambient,
  work: (home: Database | undefined, directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = resolveHomeDirectory(ambient);
  const home = await openHomeToRead(directory, ambient);
  try {
    return await work(home, directory);
  } finally {
    await home?.close();
  }
}

/** Lets `work` write the home, then brings `registry.global.json` up to what was committed. */
export async function withHomeToWrite<Result>(
  ambient: Ambient,
  work: (home: Database, directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = resolveHomeDirectory(ambient);
  const home = await openHomeToWrite(directory, ambient);
  try {
    const result = await work(home, directory);
    await projectRegistry(home, directory);
    return result;
  } finally {
    await home.close();
  }
}

/**
 * Writes the committed registry to its file, whole or not at all. The write lock is held meanwhile, so two writers
 * cannot leave the older state behind.
 */
export async function projectRegistry(home: Database, directory: string): Promise<void> {
  await home.write(async (tx) => {
    const projection = await loadRegistryProjection(tx);
    const path = join(directory, REGISTRY_FILE);
    if (readOwnSequence(path) === projection.sequence) return;
    await writeFileAtomically(path, `${JSON.stringify(projection, null, 2)}\n`, { mode: 0o600, label: REGISTRY_FILE });
  });
}

function readOwnSequence(path: string): number | undefined {
  const sequence = findOwnRegistry(path)?.["sequence"];
  return typeof sequence === "number" ? sequence : undefined;
}

function refuseForeignRegistry(directory: string): void {
  const path = join(directory, REGISTRY_FILE);
  if (!existsSync(path) || findOwnRegistry(path) !== undefined) return;
  throw new LoopxError("foreign_registry", {
    message: "the LoopX home holds a registry.global.json that another program wrote; it was left as it is",
    hint:
      "if the Python implementation wrote it, carry its projects over, which keeps a dated copy: " +
      "loopx import --from-python-loopx=DIR; " +
      'else give this LoopX a home of its own, for example: export LOOPX_HOME="$HOME/.loopx"',
  });
}
