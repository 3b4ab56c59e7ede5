import type { OtlpSettings } from "./otlp-settings.ts";
import { postOtlp, toResource } from "./post-otlp.ts";
import type { OtlpMetric } from "./server-metrics.ts";

/** Sends a server's figures from time to time. A resource: close it before the process ends. */
export interface MetricExporter {
  /** Sends them once more, in at most so many milliseconds. */
  close(withinMs: number): Promise<void>;
}

export interface MetricExporterOptions {
  readonly version: string;
  /** Tells this process from its replicas, as `service.instance.id`. */
  readonly instance: string;
  readonly intervalMs: number;
}

const DEFAULT_INTERVAL_MS = 60_000;
const LEAST_INTERVAL_MS = 100;

/** `OTEL_METRIC_EXPORT_INTERVAL`, in milliseconds; a minute where it is none. */
export function readExportInterval(env: Readonly<Record<string, string | undefined>>): number {
  const interval = Number(env["OTEL_METRIC_EXPORT_INTERVAL"] ?? "");
  return interval >= LEAST_INTERVAL_MS ? interval : DEFAULT_INTERVAL_MS;
}

/** Figures are cumulative, so one that a collector didn't take costs nothing: the next holds it too. */
export function startMetricExporter(
  settings: OtlpSettings,
  collect: () => readonly OtlpMetric[],
  { version, instance, intervalMs }: MetricExporterOptions,
): MetricExporter {
  const resource = toResource({ ...settings, resource: { "service.instance.id": instance, ...settings.resource } });
  let sending: Promise<unknown> | undefined;
  const send = (timeoutMs: number): Promise<unknown> => {
    const scopeMetrics = [{ scope: { name: "loopx", version }, metrics: collect() }];
    return postOtlp(settings, { resourceMetrics: [{ resource, scopeMetrics }] }, timeoutMs);
  };
  const timer = setInterval(() => {
    // A collector that is slower than the interval gets one request at a time.
    sending ??= send(settings.timeoutMs).finally(() => (sending = undefined));
  }, intervalMs).unref();
  return {
    async close(withinMs) {
      clearInterval(timer);
      await Promise.race([sending, pauseFor(withinMs)]);
      await send(Math.min(settings.timeoutMs, withinMs));
    },
  };
}

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
