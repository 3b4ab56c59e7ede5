import type { Ambient } from "@loopx/contracts";
import {
  createSpanExporter,
  readExportInterval,
  readOtlpSettings,
  ServerMetrics,
  startMetricExporter,
  type ContextApiParts,
  type MetricExporter,
  type RequestLog,
  type SpanExporter,
  type TraceStore,
} from "@loopx/runtime-context";
import { VERSION } from "../version.ts";

/** An exporter of spans as the environment asks for it, or null where it asks for none. Refuses with `invalid_value`. */
export function openTelemetry(env: Ambient["env"]): SpanExporter | null {
  const settings = readOtlpSettings(env, "traces");
  return settings === null ? null : createSpanExporter(settings, VERSION);
}

/** What a server exports of itself. A resource: close it before the process ends. */
export interface ServerTelemetry {
  /** Absent where nobody asks for spans or figures: then a turn costs nothing for them. */
  readonly onTurn: ContextApiParts["onTurn"];
  addRequest(request: RequestLog): void;
  /** Sends what is left, in at most so many milliseconds; resolves to how many spans were lost. */
  close(withinMs: number): Promise<number>;
}

/** Spans and figures as the environment asks for them. Refuses with `invalid_value`. */
export function openServerTelemetry(ambient: Ambient, traces: Pick<TraceStore, "status">): ServerTelemetry {
  const spans = openTelemetry(ambient.env);
  const metrics = startMetrics(ambient, traces);
  return {
    onTurn:
      spans === null && metrics === null
        ? undefined
        : (trace, parent) => {
            spans?.add(trace, { parent, isServed: true });
            metrics?.figures.addTurn(trace);
          },
    addRequest: (request) => metrics?.figures.addRequest(request),
    async close(withinMs) {
      await Promise.all([spans?.close(withinMs), metrics?.exporter.close(withinMs)]);
      metrics?.figures.close();
      return spans?.lostCount ?? 0;
    },
  };
}

function startMetrics(
  ambient: Ambient,
  traces: Pick<TraceStore, "status">,
): { readonly figures: ServerMetrics; readonly exporter: MetricExporter } | null {
  const settings = readOtlpSettings(ambient.env, "metrics");
  if (settings === null) return null;
  const figures = new ServerMetrics(ambient.now(), () => traces.status);
  const exporter = startMetricExporter(settings, () => figures.collect(ambient.now()), {
    version: VERSION,
    instance: ambient.newId("serve"),
    intervalMs: readExportInterval(ambient.env),
  });
  return { figures, exporter };
}
