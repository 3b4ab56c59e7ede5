import { sha256Hex, type Digest } from "@loopx/contracts";
import type { PrintCommand } from "../print-command.ts";
import { surfaceOf, type HostSurface } from "../surfaces/surface.ts";
import { hostWordsOf } from "./host-words.ts";

/** For whom a loop is activated. */
export interface ActivationTarget {
  readonly goalId: string;
  readonly agentId: string;
  readonly threadId: string | undefined;
}

/** The text that a loop carries, and how it is told from another. */
export interface TaskBody {
  readonly text: string;
  readonly digest: Digest;
  /** `visible_goal`: a text that a person sees in the host's /goal. `thin`: one that a loop repeats each turn. */
  readonly mode: "thin" | "visible_goal";
  /** What the mode leaves room for, with ids of usual length. */
  readonly maxCharacters: number;
}

/** A body is sent again with every turn; a /goal takes 4,000 characters on each host that has one. */
const MAX_CHARACTERS = { thin: 1_900, visible_goal: 4_000 } as const;

/**
 * What an agent does each turn, in plain English. The guard carries the lane's ids, and its answer prints the commands that
 * settle the turn: they aren't repeated here, where only half of their words are known.
 *
 * At most 1,900 characters for ids up to 40 characters, and under 4,000 for the longest. Equal inputs give equal bytes.
 */
export function renderTaskBody(hostSurface: HostSurface, target: ActivationTarget, print: PrintCommand): TaskBody {
  const actor = { "goal-id": target.goalId, "agent-id": target.agentId };
  const text = [
    `Advance LoopX goal ${target.goalId} as agent ${target.agentId}. Each turn:`,
    `1. Run ${print("quota should-run", { ...actor, "thread-id": target.threadId })}`,
    "2. Obey its decision. run: work. replan: write todos or say none follow. ask_user: show its questions, then stop. Anything else: report it and stop.",
    "3. Work on the returned todo only. Stop for approval before destructive git, credentials, private material, production or publication.",
    "4. Then run its next commands in order, <> words filled in, one of each list: refresh-state with evidence, todo complete if done, quota spend.",
    "No evidence, no spend. Never decide your own gate or edit LoopX state by hand.",
    hostWordsOf(hostSurface).loopRule,
  ].join("\n");
  const mode = surfaceOf(hostSurface).activationMethod === "set_visible_goal" ? "visible_goal" : "thin";
  return { text, digest: `sha256:${sha256Hex(text)}`, mode, maxCharacters: MAX_CHARACTERS[mode] };
}
