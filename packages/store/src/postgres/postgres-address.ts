import { readFileSync } from "node:fs";
import { LoopxError } from "@loopx/contracts";

/** Where a PostgreSQL server is and as whom it is spoken to. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly databaseName: string;
  readonly user: string;
  /** Only of a URL that no file holds. */
  readonly password: string | undefined;
  readonly tls: "disable" | "require" | "verify-full";
  /** A file with the certificates that the server's is checked against; those of this Node where there is none. */
  readonly rootCertificatePath: string | undefined;
}

const TLS_MODES = ["disable", "require", "verify-full"] as const;
const PARAMETERS = new Set(["sslmode", "sslrootcert"]);
const DEFAULT_PORT = 5432;

/**
 * Reads `postgresql://USER@HOST:PORT/DATABASE`, with `sslmode` (`disable`, `require`, `verify-full`) and `sslrootcert` as
 * libpq has them. Without a mode the certificate is checked, but for a server on this very machine, which is spoken to plainly.
 *
 * Refuses with `invalid_value` what it does not know, since a misspelt `sslmode` would be no protection. Never repeats the URL.
 */
export function parsePostgresUrl(text: string, field: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "postgresql:" && url.protocol !== "postgres:")) {
    throw toAddressError(field, "is no PostgreSQL URL");
  }
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) throw toAddressError(field, "has a parameter other than sslmode and sslrootcert");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const databaseName = decode(url.pathname.slice(1), field);
  const user = decode(url.username, field);
  if (host === "" || databaseName === "" || user === "") throw toAddressError(field, "lacks user, host or database");
  return {
    host,
    port: url.port === "" ? DEFAULT_PORT : Number(url.port),
    databaseName,
    user,
    password: url.password === "" ? undefined : decode(url.password, field),
    tls: parseTlsMode(url.searchParams.get("sslmode"), host, field),
    rootCertificatePath: url.searchParams.get("sslrootcert") ?? undefined,
  };
}

/** The address as it may be shown: without its password. */
export function renderPostgresAddress({ host, port, databaseName, user }: PostgresAddress): string {
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return `postgresql://${encodeURIComponent(user)}@${shownHost}:${port}/${encodeURIComponent(databaseName)}`;
}

/** What the TLS of this Node is told, or false for a plain connection. Refuses with `file_not_readable`. */
export function toTlsOptions(
  address: PostgresAddress,
): false | { readonly rejectUnauthorized: boolean; readonly ca?: string } {
  if (address.tls === "disable") return false;
  const { rootCertificatePath } = address;
  const rejectUnauthorized = address.tls === "verify-full";
  if (rootCertificatePath === undefined) return { rejectUnauthorized };
  try {
    return { rejectUnauthorized, ca: readFileSync(rootCertificatePath, "utf8") };
  } catch (cause) {
    throw new LoopxError("file_not_readable", {
      message: "the file that sslrootcert names cannot be read",
      hint: "name a file of certificates (PEM) that this user may read",
      details: { field: "sslrootcert" },
      cause,
    });
  }
}

function parseTlsMode(mode: string | null, host: string, field: string): PostgresAddress["tls"] {
  if (mode === null) return LOOPBACK.test(host) ? "disable" : "verify-full";
  const known = TLS_MODES.find((candidate) => candidate === mode);
  if (known === undefined) throw toAddressError(field, `has an sslmode other than ${TLS_MODES.join(", ")}`);
  return known;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

function decode(part: string, field: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw toAddressError(field, "holds a % that encodes nothing");
  }
}

function toAddressError(field: string, what: string): LoopxError {
  return new LoopxError("invalid_value", {
    message: `${field} ${what}`,
    hint: "write it as postgresql://USER@HOST:5432/DATABASE?sslmode=verify-full",
    details: { field },
  });
}
