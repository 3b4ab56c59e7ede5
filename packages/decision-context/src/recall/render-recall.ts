import {
  drawNonce,
  escapeMarkers,
  neutraliseText,
  renderClosingMarker,
  renderDataNotice,
  renderOpeningMarker,
  type Fence,
} from "@loopx/contracts";
import type { EphemeralRecall, EphemeralResult } from "./ephemeral-recall.ts";

/**
 * The recalled items for an agent to read: where each comes from, why it matched, and its content as fenced data in which
 * nothing hides, acts, or looks like the fence. Empty where nothing was recalled.
 */
export function renderRecalledItems(packet: EphemeralRecall, query: string, fence: Fence): string {
  if (packet.results.length === 0) return "";
  const contents = packet.results.map(({ content }) => escapeMarkers(neutraliseText(content).text));
  const nonce = drawNonce(fence, contents);
  const blocks = packet.results.map((result, index) => {
    const attributes = [
      ["recall", result.provider_ref],
      ["trust", result.content_trust],
      ["may-instruct", String(result.content_may_instruct)],
    ] as const;
    const head = `${index + 1}. ${sayOrigin(packet, result)}\n   ${sayMatch(query, result)}`;
    return [head, renderOpeningMarker(nonce, attributes), contents[index], renderClosingMarker(nonce)].join("\n");
  });
  return [renderDataNotice(nonce), ...blocks].join("\n");
}

function sayOrigin({ provider, provider_version }: EphemeralRecall, result: EphemeralResult): string {
  const summary = escapeMarkers(neutraliseText(result.summary).text);
  return `${summary} (${result.provider_ref}, from ${provider ?? ""} ${provider_version ?? ""})`;
}

function sayMatch(query: string, { content, score, content_truncated }: EphemeralResult): string {
  const words = findSharedWords(query, content);
  const why = words.length === 0 ? "no word of the query stands in it" : `matched ${words.join(", ")}`;
  return `${why}; score ${score}${content_truncated ? "; cut to what fits" : ""}`;
}

const WORDS_SHOWN = 8;
const SHORTEST_WORD = 2;

/** Words of the query that stand in a content, in the query's order. */
function findSharedWords(query: string, content: string): readonly string[] {
  const held = new Set(listWords(content));
  return [...new Set(listWords(query))].filter((word) => held.has(word)).slice(0, WORDS_SHOWN);
}

function listWords(text: string): readonly string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= SHORTEST_WORD);
}
