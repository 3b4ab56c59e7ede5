import { isLoopxError, type Ambient } from "@loopx/contracts";
import type { AdvisoryRuntime } from "@loopx/decision-context";
import { dispatchRequest, resolveProvider, toUnreadableReadiness } from "@loopx/extensions";
import { withHomeToRead } from "../project/open-home.ts";

/** Extensions as this machine's home knows them, started in the caller's filtered environment. */
export function createAdvisoryRuntime(ambient: Ambient, onInterrupt: (cleanup: () => void) => void): AdvisoryRuntime {
  return {
    resolve: async (need) => {
      try {
        return await withHomeToRead(ambient, async (home) =>
          home === undefined ? resolveProvider(undefined, need) : home.read((tx) => resolveProvider(tx, need)),
        );
      } catch (error) {
        // A home that cannot be opened: whatever is wrong with it, no extension can be known.
        if (isLoopxError(error)) return { readiness: toUnreadableReadiness(need) };
        throw error;
      }
    },
    dispatch: (binding, request, timeoutMs) => {
      const abort = new AbortController();
      onInterrupt(() => abort.abort());
      return dispatchRequest(binding, request, { timeoutMs, environment: ambient.env, signal: abort.signal });
    },
  };
}
