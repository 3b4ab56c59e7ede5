import { useSyncExternalStore } from "react";
import { readLiveState, watchLiveState, type LiveState } from "./live.ts";

/** Whether changes reach the page. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(watchLiveState, readLiveState);
}
