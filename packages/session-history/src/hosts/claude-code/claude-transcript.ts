import type { MeasuredMessage, MeasureMessage } from "../../ranking/measure-message.ts";
import { textField } from "../record-fields.ts";
import type { TranscriptReader } from "../session-host.ts";
import { findClaudeMessage } from "./claude-message.ts";

/** A record as a link of the chain that the conversation is. */
interface Link {
  readonly uuid: string;
  readonly parent: string | undefined;
  readonly message: MeasuredMessage | undefined;
}

/**
 * Reads a transcript: the conversation is the chain of parents from the newest record back to the first, so what was
 * rewound is left out.
 */
export function readClaudeTranscript(sessionId: string, measure: MeasureMessage): TranscriptReader {
  const links: Link[] = [];
  let isSession = false;
  return {
    take(record, offset) {
      const uuid = textField(record, "uuid");
      if (uuid === undefined || record["isSidechain"] === true) return;
      const isOwn = record["sessionId"] === sessionId;
      isSession ||= isOwn;
      // Where a conversation was compacted, the parent from before it has a field of its own.
      const parent = textField(record, "parentUuid") ?? textField(record, "logicalParentUuid");
      const message = isOwn ? findClaudeMessage(record) : undefined;
      links.push({ uuid, parent, message: message === undefined ? undefined : measure(message, offset) });
    },
    finish: () => (isSession ? walkBack(links) : undefined),
    count: () => links.length,
  };
}

function walkBack(links: readonly Link[]): readonly MeasuredMessage[] {
  const places = new Map(links.map(({ uuid }, place) => [uuid, place]));
  const visited = new Set<number>();
  const visible: MeasuredMessage[] = [];
  let place: number | undefined = links.length - 1;
  while (place !== undefined && place >= 0 && !visited.has(place)) {
    visited.add(place);
    const link: Link | undefined = links[place];
    if (link?.message !== undefined) visible.push(link.message);
    if (link?.parent === undefined) break;
    // The parent's line may be half written, or too long to be read. What stands before is the best guess at what led here.
    place = places.get(link.parent) ?? place - 1;
  }
  return visible.toReversed();
}
