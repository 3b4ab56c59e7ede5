import { isLoopxError, parseThreadId } from "@loopx/contracts";
import { HOOK_CONTRACTS, type HookHost } from "./hook-host.ts";

/** What a prompt hook is told. */
export interface HookPrompt {
  readonly event: string;
  /** The message as it was typed. */
  readonly prompt: string;
  readonly threadId: string | undefined;
  /** The folder the host works in; a relative one says nothing here and is left out. */
  readonly cwd: string | undefined;
}

/**
 * The prompt in a hook's payload; undefined for anything else, which the hook answers with silence.
 *
 * A malformed thread id counts as none: the start is then gated for its identity instead of failing in the host.
 */
export function readHookPayload(host: HookHost, payload: unknown): HookPrompt | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...payload };
  const contract = HOOK_CONTRACTS[host];
  const event = fields["hook_event_name"] ?? contract.events[0];
  const prompt = fields["prompt"];
  if (typeof prompt !== "string" || typeof event !== "string" || !contract.events.includes(event)) return undefined;
  return { event, prompt, threadId: findThread(fields[contract.threadField]), cwd: findFolder(fields) };
}

function findThread(value: unknown): string | undefined {
  try {
    return parseThreadId(value);
  } catch (error) {
    if (isLoopxError(error)) return undefined;
    throw error;
  }
}

/** Cursor names its workspace folders instead of a working directory; the first is the one its agent works in. */
function findFolder(fields: Readonly<Record<string, unknown>>): string | undefined {
  const roots = fields["workspace_roots"];
  const folder: unknown = fields["cwd"] ?? (Array.isArray(roots) ? roots[0] : undefined);
  return typeof folder === "string" && /^(?:[/\\]|[A-Za-z]:[/\\])/.test(folder) ? folder : undefined;
}
