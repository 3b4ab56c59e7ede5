import type { Ambient } from "@loopx/contracts";
import { parseTraceQuery, toTracePagePacket } from "@loopx/runtime-context";
import { searchForValue } from "../../context/search-for-value.ts";
import type { ContextPlace } from "./context-place.ts";
import { withPlacedTraces } from "./place-traces.ts";

/** A page of the traces of a place: the search of `loopx context traces list`, with its refusals. */
export async function answerSearch(
  place: ContextPlace,
  { input, ...filters }: Readonly<Record<string, string>>,
  ambient: Ambient,
): Promise<object> {
  const query = parseTraceQuery(filters);
  const page = await withPlacedTraces(place, ambient, (traces, { ring }) =>
    traces.search(searchForValue(query, input === undefined ? [] : [input], ring)),
  );
  return { ok: true, ...toTracePagePacket(page) };
}
