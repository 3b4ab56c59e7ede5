import type { Deadline } from "../deadline.ts";
import type { ProviderFault } from "../provider-fault.ts";
import type { ProviderItem } from "../provider-outcome.ts";
import { listCredentialPlaces } from "./credential-places.ts";
import { scanForCredential } from "./credential-scan.ts";
import type { LookupAnswer } from "./lookup-answer.ts";

/**
 * SECRET_DETECTED for the first credential in an answer, naming the rule and the place and nothing of the text.
 *
 * Scans content, title, metadata, id, revision and version (seed 004: secret patterns refused).
 */
export async function findSecret(answer: LookupAnswer, deadline: Deadline | null): Promise<ProviderFault | undefined> {
  if (isClean(answer)) return undefined;
  for (const { pointer, text } of listTexts(answer)) {
    const rule = await scanForCredential(text);
    if (rule !== undefined) return toSecretFault(rule, pointer);
    // The caller makes a TIMEOUT of it.
    if (deadline?.hasPassed() === true) return undefined;
  }
  return undefined;
}

/** What is looked at as one text. */
const SMALL_ANSWER = 8192;

/** One look at all texts of a small answer: where no rule could begin in them together, none could in any of them. */
function isClean(answer: LookupAnswer): boolean {
  let joined = "";
  for (const { text } of listTexts(answer)) {
    joined += `${text}\n`;
    if (joined.length > SMALL_ANSWER) return false;
  }
  return listCredentialPlaces(joined).length === 0;
}

export function toSecretFault(rule: string, pointer: string): ProviderFault {
  return { status: "SECRET_DETECTED", reason: null, finding: { pointer, rule } };
}

interface ScannedText {
  readonly pointer: string;
  readonly text: string;
}

function* listTexts(answer: LookupAnswer): Generator<ScannedText> {
  if (answer.version !== null) yield { pointer: "/version", text: answer.version };
  if (answer.revision !== null) yield { pointer: "/revision", text: answer.revision };
  for (const [index, item] of answer.items.entries()) yield* listItemTexts(item, `/items/${index}`);
}

function* listItemTexts(item: ProviderItem, pointer: string): Generator<ScannedText> {
  yield { pointer: `${pointer}/id`, text: item.id };
  if (item.title !== null) yield { pointer: `${pointer}/title`, text: item.title };
  yield { pointer: `${pointer}/content`, text: item.content };
  for (const [key, value] of Object.entries(item.metadata)) {
    // A name makes a secret of a value that is none on its own: `{"password": "…"}`.
    yield { pointer: `${pointer}/metadata`, text: `${key}="${String(value)}"` };
  }
}
