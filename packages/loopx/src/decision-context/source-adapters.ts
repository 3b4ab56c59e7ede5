import type { Ambient } from "@loopx/contracts";
import { LOCAL_FILE, type SourceAdapter } from "@loopx/decision-context";

/** The kinds of authority source that this program has. */
export function listSourceAdapters(_ambient: Ambient): readonly SourceAdapter[] {
  return [LOCAL_FILE];
}

/** Their names, for whoever reads no source. */
export const SOURCE_ADAPTER_NAMES: readonly string[] = ["local-file", "runtime-context"];
