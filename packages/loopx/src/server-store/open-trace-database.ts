import type { Ambient } from "@loopx/contracts";
import { parseSecretReference, resolveSecret } from "@loopx/runtime-context";
import type { Database, Migration } from "@loopx/store";
import { openPostgres, openPostgresPool, parsePostgresUrl } from "@loopx/store/postgres";
import { parsePasswordReference, parsePlainUrl } from "./store-reference.ts";

/** Where traces are on a server, as flags name it. */
export interface TraceServer {
  readonly url: string;
  /** `env:NAME` or `file:PATH`. */
  readonly password: string | undefined;
}

export interface TraceDatabaseOptions {
  readonly label: string;
  readonly migrations: readonly Migration[];
  /** Makes the schema where it is missing. */
  readonly create: boolean;
  /** For a process that lives long: connections that are opened anew when they are lost, and short waits. */
  readonly isLasting: boolean;
}

const SCHEMA_PARAMETER = "schema";
const DEFAULT_SCHEMA = "loopx_traces";
/** A turn waits for its trace: better it fails than that it hangs. */
const LASTING_LIMITS = { busyTimeoutMs: 5_000, statementTimeoutMs: 15_000 };

/**
 * Opens the schema of a server that `postgresql://USER@HOST/DATABASE?schema=NAME` names, `loopx_traces` unless it does.
 *
 * Refuses with `credential_refused` a URL with a password in it, with `invalid_value`, `secret_unavailable`, and as
 * `openPostgres` does.
 */
export async function openTraceDatabase(
  { url, password }: TraceServer,
  { isLasting, ...options }: TraceDatabaseOptions,
  ambient: Ambient,
): Promise<Database> {
  const { plain, schema } = splitSchema(url);
  const address = parsePostgresUrl(plain, "store");
  const opening = {
    ...options,
    ...(isLasting ? LASTING_LIMITS : {}),
    address: { ...address, password: findPassword(password, ambient) },
    schema,
    access: "write" as const,
    now: () => ambient.now(),
  };
  return isLasting ? openPostgresPool(opening) : openPostgres(opening);
}

/** The schema is ours to understand, the rest is as everywhere. What is no URL at all is told by the parser. */
function splitSchema(url: string): { readonly plain: string; readonly schema: string } {
  if (!URL.canParse(url)) return { plain: parsePlainUrl(url), schema: DEFAULT_SCHEMA };
  const rest = new URL(url);
  const schema = rest.searchParams.get(SCHEMA_PARAMETER) ?? DEFAULT_SCHEMA;
  rest.searchParams.delete(SCHEMA_PARAMETER);
  return { plain: parsePlainUrl(rest.href), schema };
}

function findPassword(reference: string | undefined, { cwd, env }: Ambient): string | undefined {
  if (reference === undefined) return undefined;
  const secret = parseSecretReference(parsePasswordReference(reference), cwd);
  return secret === undefined ? undefined : resolveSecret(secret, env).reveal();
}
