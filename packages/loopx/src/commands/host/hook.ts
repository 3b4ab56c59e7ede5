import { isUtf8 } from "node:buffer";
import { LoopxError } from "@loopx/contracts";
import {
  HOOK_CONTRACTS,
  parseHostSurface,
  prefixesOf,
  readHookPayload,
  renderCommandCatalog,
  renderCommandCatalogText,
  renderHookAnswer,
  renderHookContext,
  renderHostHelpText,
  type HookAction,
  type HookHost,
  type HookPrompt,
  type HostSurface,
} from "@loopx/host-commands";
import { toAmbientAt } from "../../ambient.ts";
import { printForHosts } from "../../command-line/print-for-hosts.ts";
import { answerHostMessage, type HostAnswer } from "../../host-message/answer-host-message.ts";
import { streamStandardInput } from "../../input/read-standard-input.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { toFault } from "../../output/to-fault.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"hook">;

/** Answers a prompt hook from the payload on stdin. */
export const run: CommandHandler<"hook"> = async (input) => answerHook(input, await streamStandardInput());

/**
 * Answers a prompt hook: silence for an ordinary prompt, context for a command, a block with the reason for what begins
 * like one and leads nowhere, our own faults included. Never writes state.
 */
export async function answerHook(input: Input, payload: Buffer): Promise<CommandResult> {
  // The table lets nothing else through.
  const host = input.positionals[0] as HookHost;
  const hostSurface = findSurface(host, input.flags.hostSurface);
  const prompt = readHookPayload(host, parseJson(payload));
  if (prompt === undefined) return SILENCE;
  const action = await decideAction(prompt, { host, hostSurface, input, isExact: isUtf8(payload) });
  if (action === undefined) return SILENCE;
  const packet = renderHookAnswer(host, prompt.event, action);
  return { packet, text: () => JSON.stringify(packet), isData: true };
}

/** Nothing on stdout: every host then goes on with the prompt as it is. */
const SILENCE: CommandResult = { packet: {}, text: () => "", isData: true };

interface HookCall {
  readonly host: HookHost;
  readonly hostSurface: HostSurface | undefined;
  readonly input: Input;
  /** False where bytes of the payload were no UTF-8 and the prompt isn't what was typed. */
  readonly isExact: boolean;
}

async function decideAction(prompt: HookPrompt, call: HookCall): Promise<HookAction | undefined> {
  const { host, hostSurface, input } = call;
  const prefixes = prefixesOf(hostSurface ?? HOOK_CONTRACTS[host].surfaces[0]);
  try {
    const answer = await answerHostMessage(prompt.prompt, prefixes, {
      globals: input.globals,
      // The host's word for the folder counts before our own working directory.
      ambient: toAmbientAt(input.ambient, { cwd: prompt.cwd }),
      hostSurface,
      uiSurface: "chat_box",
      threadId: prompt.threadId,
      selectedFile: undefined,
    });
    if (answer.kind !== "ordinary" && !call.isExact) throw illFormedError();
    return toAction(answer, call);
  } catch (error) {
    const { message, hint } = toFault(error).error;
    const next = hint === undefined ? "" : ` Next: ${hint}`;
    return { kind: "block", reason: `LoopX did not pass this message on: ${message}.${next}` };
  }
}

function toAction(answer: HostAnswer, { host, hostSurface }: HookCall): HookAction | undefined {
  switch (answer.kind) {
    case "ordinary":
      return undefined;
    case "handoff":
      return { kind: "add_context", context: renderHookContext(answer.packet, { host, hostSurface }, printForHosts) };
    case "help": {
      const catalog = renderCommandCatalogText(renderCommandCatalog());
      return { kind: "block", reason: renderHostHelpText(answer.packet, catalog) };
    }
    default:
      throw new TypeError(`no action for ${JSON.stringify(answer satisfies never)}`);
  }
}

/** The surface the installer named, else the host's only one. Refuses one that doesn't call this hook. */
function findSurface(host: HookHost, typed: string | undefined): HostSurface | undefined {
  const { surfaces } = HOOK_CONTRACTS[host];
  if (typed === undefined) return surfaces.length === 1 ? surfaces[0] : undefined;
  const surface = parseHostSurface(typed);
  if (surfaces.includes(surface)) return surface;
  throw new LoopxError("invalid_value", {
    message: `--host-surface is no surface of ${host}`,
    hint: `use ${surfaces.join(", ")}`,
    details: { field: "host_surface" },
  });
}

function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function illFormedError(): LoopxError {
  return new LoopxError("text_not_storable", { message: "the host's payload is not UTF-8, so the text is not exact" });
}
