import { findSensitive, toVisibleText } from "@loopx/contracts";
import { listCredentialPlaces } from "./credential-places.ts";

/** Every rule's head is shorter than these, so a window around a place holds the whole head that begins there. */
const UNITS_BEFORE = 512;
const UNITS_BEHIND = 1024;
/** What is looked at before the next chance to yield. */
const MAX_CORE = 4096;

/** A stretch of text in which a finding may begin. */
interface Core {
  readonly start: number;
  readonly end: number;
}

/** The rule of a credential in a text, or undefined. For short texts; `scanForCredential` yields in long ones. */
export function findCredentialRule(text: string): string | undefined {
  const visible = toVisibleText(text);
  for (const core of listCores(visible)) {
    const rule = findRuleIn(visible, core);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/**
 * The same for texts of any length: hands the event loop back after every 4,096 characters that had to be looked at,
 * since a hostile text can make all of them worth a look.
 */
export async function scanForCredential(text: string): Promise<string | undefined> {
  const visible = toVisibleText(text);
  let looked = 0;
  for (const core of listCores(visible)) {
    const rule = findRuleIn(visible, core);
    if (rule !== undefined) return rule;
    looked += core.end - core.start;
    if (looked < MAX_CORE) continue;
    looked = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return undefined;
}

/** Stretches around the places, joined where they meet. */
function listCores(text: string): readonly Core[] {
  const cores: Core[] = [];
  for (const place of listCredentialPlaces(text)) {
    const last = cores.at(-1);
    const start = Math.max(place - UNITS_BEFORE, last?.end ?? 0);
    const end = place + UNITS_BEFORE;
    const isJoined = last !== undefined && start === last.end && end - last.start <= MAX_CORE;
    if (isJoined) cores[cores.length - 1] = { start: last.start, end };
    else cores.push({ start, end });
  }
  return cores;
}

/** Beyond its core a window only gives context; a finding that begins there belongs to another core. */
function findRuleIn(text: string, core: Core): string | undefined {
  const from = Math.max(0, core.start - UNITS_BEFORE);
  const window = text.slice(from, core.end + UNITS_BEHIND);
  const isInCore = (start: number): boolean => from + start >= core.start && from + start < core.end;
  return findSensitive(window).find(({ kind, start }) => kind === "credential" && isInCore(start))?.rule;
}
