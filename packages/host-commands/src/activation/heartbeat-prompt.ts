import type { PrintCommand } from "../print-command.ts";
import { surfaceOf, type HostSurface } from "../surfaces/surface.ts";
import { hostWordsOf } from "./host-words.ts";
import { printRecord, type PlacedLane } from "./print-activation.ts";
import { renderTaskBody } from "./task-body.ts";

/** The task body of one lane for one host, with the digest by which a record of it is told from another. */
export interface HeartbeatPromptPacket {
  readonly ok: true;
  readonly schema_version: "loopx_heartbeat_prompt_v0";
  readonly agent_type: string;
  readonly host_surface: HostSurface;
  readonly goal_id: string;
  readonly agent_id: string;
  readonly mode: "thin" | "visible_goal";
  readonly character_count: number;
  readonly max_characters: number;
  readonly task_body: string;
  readonly task_body_digest: string;
  /** What stands before it where it is pasted. */
  readonly paste_prefix?: string;
  /** What records the loop, once the host has it. */
  readonly next: readonly string[];
}

export function renderHeartbeatPrompt(lane: PlacedLane, print: PrintCommand): HeartbeatPromptPacket {
  const { hostSurface, target } = lane;
  const body = renderTaskBody(hostSurface, target, print);
  const { pastePrefix } = hostWordsOf(hostSurface);
  return {
    ok: true,
    schema_version: "loopx_heartbeat_prompt_v0",
    agent_type: surfaceOf(hostSurface).agentType,
    host_surface: hostSurface,
    goal_id: target.goalId,
    agent_id: target.agentId,
    mode: body.mode,
    character_count: body.text.length,
    max_characters: body.maxCharacters,
    task_body: body.text,
    task_body_digest: body.digest,
    ...(pastePrefix !== undefined && { paste_prefix: pastePrefix }),
    next: [printRecord({ ...lane, taskBodyDigest: body.digest }, print)],
  };
}
