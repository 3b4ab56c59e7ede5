import { isAbsolute } from "node:path";
import { digestOf, fromRefusal, LoopxError, type Ambient } from "@loopx/contracts";
import {
  parseLayerSettings,
  type AuthoritySource,
  type LayerSettings,
  type ScanOutcome,
  type ScanRequest,
  type SourceAdapter,
} from "@loopx/decision-context";
import { openNamedDeployment } from "../context/open-runtime.ts";
import { createProviderClock, TURN_DEADLINE_MS } from "../context/runtime-parts.ts";
import { parseTurnRequest, readLayer, type ReadLayer } from "@loopx/runtime-context";

/** What a layer says where its authority has no record. */
const NO_RECORD = "(no record)";

/**
 * A layer of a Context Project as an authority: its revision and its time are the provider's own.
 *
 * Facts that are unknown, unavailable or not current enough are a failed scan, never "no change".
 */
export function createLayerAdapter(ambient: Ambient): SourceAdapter {
  return {
    name: "runtime-context",
    open: (config) => openLayerSource(parseLayerSettings(config), ambient),
  };
}

function openLayerSource(settings: LayerSettings, ambient: Ambient): AuthoritySource {
  // The scan is the exact read: asking the provider once more could only give something else.
  const texts = new Map<string, string>();
  return {
    version: "context-provider.v1",
    scan: async (request) => {
      const layer = await readNow(settings, request, ambient);
      const outcome = toScanOutcome(layer, request);
      if (outcome.status === "completed") {
        for (const item of outcome.items) texts.set(item.revision, toText(layer));
      }
      return outcome;
    },
    readExactly: async (_source, item) => {
      const text = texts.get(item.revision);
      if (text !== undefined) return text;
      throw new LoopxError("invalid_value", { message: "the layer was not scanned in this revision" });
    },
  };
}

async function readNow(settings: LayerSettings, request: ScanRequest, ambient: Ambient): Promise<ReadLayer> {
  // A profile is used from anywhere, so a path that depends on the working directory would mean something else each time.
  if (!isAbsolute(settings.build)) {
    throw new LoopxError("invalid_value", { message: "build has to be an absolute path" });
  }
  const deployment = await openNamedDeployment(settings, ambient);
  try {
    const { objective, consumer, profile, inputs } = settings;
    const read = await readLayer(
      deployment,
      {
        request: parseTurnRequest({ objective, consumer, profile, inputs }),
        layer: request.source.private_locator,
      },
      { clock: createProviderClock(ambient), turnDeadlineMs: Math.min(TURN_DEADLINE_MS, request.timeout_ms) },
    );
    if (!read.ok) throw fromRefusal(read);
    return read;
  } finally {
    await deployment.close();
  }
}

const FAILURES = {
  STALE: "layer_not_current",
  UNKNOWN: "layer_unknown",
  UNAVAILABLE: "layer_unavailable",
  NOT_REQUESTED: "layer_not_requested",
} as const;

function toScanOutcome(layer: ReadLayer, { source, after_cursor, observed_at }: ScanRequest): ScanOutcome {
  if (layer.state !== "AVAILABLE" && layer.state !== "EMPTY") {
    return { status: "failed", reason_code: FAILURES[layer.state] };
  }
  const revision = digestOf({ revision: layer.revision, text: toText(layer) });
  if (revision === after_cursor) return { status: "no_change", cursor_after: after_cursor };
  const item = {
    resource_ref: `layer:${source.private_locator}`,
    revision,
    observed_at: layer.observedAt ?? observed_at,
  };
  return { status: "completed", cursor_after: revision, items: [item] };
}

function toText({ state, text }: ReadLayer): string {
  return state === "EMPTY" ? NO_RECORD : text;
}
