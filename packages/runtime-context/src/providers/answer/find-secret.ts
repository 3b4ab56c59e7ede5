import { toVisibleText } from "@loopx/contracts";
import type { Deadline } from "../deadline.ts";
import type { ProviderFault } from "../provider-fault.ts";
import type { ProviderItem } from "../provider-outcome.ts";
import { listCredentialPlaces } from "./credential-places.ts";
import { scanForCredential } from "./credential-scan.ts";
import type { LookupAnswer } from "./lookup-answer.ts";

/**
 * SECRET_DETECTED for the first credential in an answer, naming the rule and the place and nothing of the text.
 *
 * Scans content, title, metadata, id, revision and version (seed 004: secret patterns refused). A small answer in which
 * no rule could begin is done with at once.
 */
export function findSecret(
  answer: LookupAnswer,
  deadline: Deadline | null,
): Promise<ProviderFault | undefined> | undefined {
  const texts = listTexts(answer);
  return isClean(texts) ? undefined : scanTexts(texts, deadline);
}

async function scanTexts(texts: readonly ScannedText[], deadline: Deadline | null): Promise<ProviderFault | undefined> {
  for (const { pointer, text } of texts) {
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
function isClean(texts: readonly ScannedText[]): boolean {
  let joined = "";
  for (const { text } of texts) {
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

function listTexts({ version, revision, items }: LookupAnswer): readonly ScannedText[] {
  const texts: ScannedText[] = [];
  if (version !== null) texts.push({ pointer: "/version", text: version });
  if (revision !== null) texts.push({ pointer: "/revision", text: revision });
  for (const [index, item] of items.entries()) pushItemTexts(texts, item, `/items/${index}`);
  return texts.map(({ pointer, text }) => ({ pointer, text: toVisibleText(text) }));
}

function pushItemTexts(texts: ScannedText[], { id, title, content, metadata }: ProviderItem, pointer: string): void {
  texts.push({ pointer: `${pointer}/id`, text: id });
  if (title !== null) texts.push({ pointer: `${pointer}/title`, text: title });
  texts.push({ pointer: `${pointer}/content`, text: content });
  for (const key of Object.keys(metadata)) {
    // A name makes a secret of a value that is none on its own: `{"password": "…"}`.
    texts.push({ pointer: `${pointer}/metadata`, text: `${key}="${String(metadata[key])}"` });
  }
}
