import { type RetrieveAnswer, type RetrieveRequest, unavailable } from "loopx-provider-sdk";
import { parseHits } from "./parse-hits.ts";
import { createPrivateFile } from "./private-file.ts";
import { type ObeliskQuery, renderQueryScript } from "./render-query-script.ts";
import { renderQueryText } from "./render-query-text.ts";
import { type ObeliskRun, type ObeliskWorld, runObelisk } from "./run-obelisk.ts";

/** Only Codex: Obelisk knows other hosts, and their scopes are another's business. */
const SCOPE = /^host-session:codex:([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/;

/**
 * The visible messages of one past Codex session that Obelisk finds for a query.
 *
 * Unavailable with `scope_unsupported`, `session_is_invoking`, `obelisk_not_found`, `obelisk_not_started`, `obelisk_failed`,
 * `obelisk_output_invalid`, `obelisk_output_too_large`. Throws when the signal is aborted.
 */
export async function retrieveFromObelisk(
  request: RetrieveRequest,
  world: ObeliskWorld & { readonly signal: AbortSignal },
): Promise<RetrieveAnswer> {
  const [, threadId] = SCOPE.exec(request.scope_ref) ?? [];
  if (threadId === undefined) return unavailable("scope_unsupported");
  // Obelisk marks the invoking session by a file name that it looks for in transcripts; one made here never gets into any.
  if (world.environment["CODEX_THREAD_ID"] === threadId) return unavailable("session_is_invoking");
  const text = renderQueryText(request.query);
  if (text === "") return [];
  const query = { text, sessionId: `codex:${threadId}`, limit: request.max_results };
  return readAnswer(await runQuery(query, world), query.sessionId);
}

async function runQuery(
  query: ObeliskQuery,
  world: ObeliskWorld & { readonly signal: AbortSignal },
): Promise<ObeliskRun> {
  const file = createPrivateFile("query.mjs", renderQueryScript(query));
  try {
    const run = await runObelisk(world, ["--query", file.path], world.signal);
    world.signal.throwIfAborted();
    return run;
  } finally {
    file.remove();
  }
}

function readAnswer(run: ObeliskRun, sessionId: string): RetrieveAnswer {
  if (run.kind !== "ended") return unavailable(`obelisk_${run.kind}`);
  if (run.exitCode !== 0) return unavailable("obelisk_failed");
  return parseHits(run.stdout, sessionId) ?? unavailable("obelisk_output_invalid");
}
