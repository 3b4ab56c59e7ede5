import type { Ambient } from "@loopx/contracts";
import { LOCAL_FILE, type SourceAdapter } from "@loopx/decision-context";
import { createLayerAdapter } from "./layer-source.ts";

/** The kinds of authority source that this program has: what `SOURCE_ADAPTER_NAMES` names. */
export function listSourceAdapters(ambient: Ambient): readonly SourceAdapter[] {
  return [LOCAL_FILE, createLayerAdapter(ambient)];
}
