import { answerRequest } from "../advisory/answer-request.ts";
import type { AdvisoryProviderDefinition } from "../advisory/provider-definition.ts";
import { MAX_REQUEST_BYTES } from "../advisory/retrieve-request.ts";
import { claimStdout } from "./claim-stdout.ts";
import { readStandardInput } from "./read-standard-input.ts";

/** Runs a provider as this process: `--doctor`, or one request and one response. Ends the process. */
export async function runProviderProcess(definition: AdvisoryProviderDefinition): Promise<never> {
  const writeAnswer = claimStdout();
  const words = process.argv.slice(2);
  const args = words.filter((word) => word !== "--doctor");
  if (words.includes("--doctor")) {
    const isReady = await isDoctorContent(definition, args);
    await writeAnswer({ ok: isReady });
    return process.exit(isReady ? 0 : 1);
  }
  const bytes = await readStandardInput(MAX_REQUEST_BYTES);
  // The caller's deadline began with this process.
  const { response, fault, thrown } = await answerRequest(definition, bytes, { args, startedAtMs: 0 });
  if (fault !== undefined) process.stderr.write(`${fault}\n`);
  if (thrown !== undefined) tellThrown(thrown);
  await writeAnswer(response);
  // Whatever the provider left open must not keep the caller waiting.
  return process.exit(0);
}

async function isDoctorContent(definition: AdvisoryProviderDefinition, args: readonly string[]): Promise<boolean> {
  try {
    const verdict: unknown = await definition.doctor({ args });
    return verdict === true;
  } catch (thrown) {
    tellThrown(thrown);
    return false;
  }
}

/** An error's text may quote what was searched, so it is shown only to a person who runs the provider by hand. */
function tellThrown(thrown: unknown): void {
  if (process.env["LOOPX_PROVIDER_DEBUG"] !== "1") return;
  process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
}
