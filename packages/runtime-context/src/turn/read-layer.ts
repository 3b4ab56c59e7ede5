import { refuse, renderDidYouMean, type Refusal } from "@loopx/contracts";
import { decideLayer } from "../kernel/decide-layer.ts";
import { planTurn } from "../kernel/plan-turn.ts";
import { toLookupKey } from "../kernel/lookup-key.ts";
import type { PlannedLayer, TurnRequest } from "../kernel/turn-plan.ts";
import type { LayerState } from "../kernel/turn-result.ts";
import type { Currentness } from "../project/context-project.ts";
import { callProviders } from "../providers/call-providers.ts";
import type { Deployment } from "./deployment.ts";
import type { TurnParts } from "./run-turn.ts";

/** One layer as it is now, for whoever takes it as an authority and not as text for a model. */
export interface ReadLayer {
  readonly ok: true;
  readonly state: LayerState;
  readonly reason: string | null;
  readonly currentness: Currentness | null;
  /** As the providers name it, where each of them does; else null. */
  readonly revision: string | null;
  /** When the last provider answered; null of a layer that asks none. */
  readonly observedAt: string | null;
  /** Static text and records as they are, one after the other. Untrusted where a provider wrote it. */
  readonly text: string;
}

/**
 * Reads one layer of a profile by the rules of a turn: only what this layer needs is asked, nothing is rendered or traced.
 *
 * Refuses with `invalid_value` a request that the build does not know, and a layer that the profile does not have.
 */
export async function readLayer(
  deployment: Deployment,
  { request, layer }: { readonly request: TurnRequest; readonly layer: string },
  { clock, turnDeadlineMs }: Pick<TurnParts, "clock" | "turnDeadlineMs">,
): Promise<ReadLayer | Refusal> {
  const plan = planTurn(deployment.build, request);
  if ("ok" in plan) return plan;
  const planned = plan.layers.find((one) => one.layer.id === layer);
  if (planned === undefined) {
    const known = plan.layers.map((one) => one.layer.id);
    return refuse("invalid_value", {
      message: `the profile has no layer of this name${renderDidYouMean(layer, known)}`,
      details: { field: "layer" },
    });
  }
  const lookups = listLookups(planned);
  const results = await callProviders(lookups, deployment.clients, { turnDeadlineMs, clock });
  const { state, reason, currentness, pieces } = decideLayer(planned, { results, now: clock.now() });
  const outcomes = lookups.flatMap(({ provider, value }) => results.get(toLookupKey(provider, value)) ?? []);
  const revisions = outcomes.map((outcome) => outcome.revision);
  return {
    ok: true,
    state,
    reason,
    currentness,
    revision: revisions.length === 0 || revisions.includes(null) ? null : revisions.join("\n"),
    observedAt:
      outcomes
        .map((outcome) => outcome.observedAt)
        .toSorted()
        .at(-1) ?? null,
    text: pieces.map((piece) => (piece.kind === "static" ? piece.text : piece.item.content)).join("\n"),
  };
}

function listLookups(planned: PlannedLayer) {
  return planned.kind === "evaluated" ? planned.lookups : [];
}
