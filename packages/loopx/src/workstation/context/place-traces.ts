import { LoopxError, type Ambient } from "@loopx/contracts";
import { withTraces, type KeyedBinding } from "../../context/trace-place.ts";
import type { TraceStore } from "@loopx/runtime-context";
import type { ContextPlace } from "./context-place.ts";

/** Lets `work` read the traces of a place. Refuses with `store_missing` where none are kept or none were yet. */
export async function withPlacedTraces<Result>(
  { traces, binding }: ContextPlace,
  ambient: Ambient,
  work: (traces: TraceStore, keyed: KeyedBinding) => Promise<Result>,
): Promise<Result> {
  if (traces !== null && binding !== null) return withTraces({ store: traces, binding }, ambient, work);
  throw new LoopxError("store_missing", {
    message: "no traces are kept here: the Workstation knows no trace store, or no binding, of this project",
    hint: "attach it with a store, or name both at start: loopx workstation --context-project=<folder> --binding=<binding> --traces=<folder>",
  });
}
