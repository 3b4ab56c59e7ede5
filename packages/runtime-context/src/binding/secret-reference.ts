import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { basename, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import type { SecretReference } from "./deployment-binding.ts";
import { Secret } from "./secret.ts";

/** Bytes of a secret's file: a keyset is the largest. */
const SECRET_MAX_BYTES = 65_536;

/**
 * The reference that `env:NAME` or `file:PATH` stands for, or undefined for anything else, such as a secret written out.
 * A relative path is taken from `folder`.
 */
export function parseSecretReference(text: string, folder: string): SecretReference | undefined {
  const [, name] = /^env:([A-Za-z_][A-Za-z0-9_]{0,127})$/.exec(text) ?? [];
  if (name !== undefined) return { kind: "env", name };
  const [, path] = /^file:([^\0\r\n]{1,1024})$/.exec(text) ?? [];
  return path === undefined ? undefined : { kind: "file", path: resolve(folder, path) };
}

/**
 * The secret a reference names, read now. One line break at its end is not part of it.
 *
 * A file must be a regular one, no symbolic link, mode 0600 or stricter, at most 64 KiB. Refuses with `secret_unavailable`; no
 * message holds a value.
 */
export function resolveSecret(reference: SecretReference, env: Readonly<Record<string, string | undefined>>): Secret {
  const label = describeReference(reference);
  const raw = reference.kind === "env" ? (env[reference.name] ?? "") : readSecretFile(reference.path, label);
  const value = raw.replace(/\r?\n$/, "");
  if (value === "") {
    throw reference.kind === "env"
      ? unavailable(label, { what: "is not set", remedy: `export ${reference.name}='<the-secret>'` })
      : unavailable(label, { what: "is empty", remedy: WRITE_IT });
  }
  if (value.includes("\0") || !value.isWellFormed()) {
    throw unavailable(label, { what: "is not text", remedy: "give it as UTF-8 text of one line" });
  }
  return new Secret(value);
}

/** `env:CRM_TOKEN`, `file:keyset.json`: enough to find it, without where on this machine. */
export function describeReference(reference: SecretReference): string {
  return reference.kind === "env" ? `env:${reference.name}` : `file:${basename(reference.path)}`;
}

function readSecretFile(path: string, label: string): string {
  const file = openSecretFile(path, label);
  try {
    const stats = fstatSync(file);
    const fault = findSecretFileFault(stats);
    if (fault !== undefined) throw unavailable(label, fault);
    const buffer = Buffer.alloc(SECRET_MAX_BYTES + 1);
    const length = readSync(file, buffer, 0, buffer.length, 0);
    if (length > SECRET_MAX_BYTES) throw unavailable(label, TOO_LARGE);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}

function openSecretFile(path: string, label: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    if (code === "ELOOP") throw unavailable(label, { what: "is a symbolic link", remedy: NAME_IT }, error);
    if (code === "ENOENT") throw unavailable(label, { what: "does not exist", remedy: WRITE_IT }, error);
    throw unavailable(label, { what: `cannot be read (${code ?? "unknown"})`, remedy: LET_IT_BE_READ }, error);
  }
}

interface SecretFault {
  readonly what: string;
  readonly remedy: string;
}

const WRITE_IT = "write it to the file that the reference names, and run chmod 600 on that";
const NAME_IT = "name the file itself in the reference";
const LET_IT_BE_READ = "let the user who runs loopx read it, and nobody else";
const TOO_LARGE: SecretFault = {
  what: `is over the limit of ${SECRET_MAX_BYTES} bytes`,
  remedy: "name a file that holds the secret and nothing else",
};

function findSecretFileFault(stats: Stats): SecretFault | undefined {
  if (!stats.isFile()) return { what: "is not a regular file", remedy: NAME_IT };
  // Windows has no such bits: Node invents them.
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    return { what: "can be read or written by others", remedy: "run chmod 600 on it" };
  }
  return stats.size > SECRET_MAX_BYTES ? TOO_LARGE : undefined;
}

function unavailable(label: string, { what, remedy }: SecretFault, cause?: unknown): LoopxError {
  return new LoopxError("secret_unavailable", {
    message: `the secret ${label} ${what}`,
    hint: remedy,
    details: { reference: label },
    cause,
  });
}
