import { LoopxError, type Ambient } from "@loopx/contracts";

/** What is exported: spans of turns, or figures of a server. */
export type OtlpSignal = "traces" | "metrics";

/** Where a signal goes, by the standard variables of OpenTelemetry. */
export interface OtlpSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
}

/**
 * The settings in an environment for one signal, or null where nothing is to be exported: without an endpoint, with
 * `OTEL_SDK_DISABLED=true`, `OTEL_TRACES_EXPORTER=none` or `OTEL_METRICS_EXPORTER=none`.
 *
 * Refuses with `invalid_value` an endpoint that is no URL over HTTP, and gRPC. JSON is sent, which every collector takes on
 * its HTTP port, whether `http/json` or `http/protobuf` is asked for.
 */
export function readOtlpSettings(env: Ambient["env"], signal: OtlpSignal): OtlpSettings | null {
  const own = signal.toUpperCase();
  const read = (name: string): string => (env[`OTEL_${name}`] ?? "").trim();
  const readEither = (name: string): string => read(`EXPORTER_OTLP_${own}_${name}`) || read(`EXPORTER_OTLP_${name}`);
  if (read("SDK_DISABLED").toLowerCase() === "true" || read(`${own}_EXPORTER`) === "none") return null;
  const url = findUrl(signal, read(`EXPORTER_OTLP_${own}_ENDPOINT`), read("EXPORTER_OTLP_ENDPOINT"));
  if (url === undefined) return null;
  if (readEither("PROTOCOL") === "grpc") throw fault("PROTOCOL", "takes http/json; gRPC is not spoken");
  const timeout = Number(readEither("TIMEOUT") || 10_000);
  const serviceName = read("SERVICE_NAME");
  return {
    url,
    headers: parsePairs(readEither("HEADERS")),
    timeoutMs: timeout > 0 && timeout <= 60_000 ? timeout : 10_000,
    resource: {
      "service.name": "loopx-context",
      ...parsePairs(read("RESOURCE_ATTRIBUTES")),
      ...(serviceName === "" ? {} : { "service.name": serviceName }),
    },
  };
}

/** The one for the signal is taken as it is; to the one for all signals the signal's path is added. */
function findUrl(signal: OtlpSignal, own: string, all: string): string | undefined {
  const [name, text] =
    own === ""
      ? (["ENDPOINT", all === "" ? "" : `${all.replace(/\/+$/, "")}/v1/${signal}`] as const)
      : ([`${signal.toUpperCase()}_ENDPOINT`, own] as const);
  if (text === "") return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw fault(name, "takes a URL that begins with http:// or https://");
}

/** `key=value,key=value`, values percent-encoded; what isn't so written is left out. */
function parsePairs(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    const value = at < 1 ? undefined : decode(pair.slice(at + 1).trim());
    return value === undefined ? [] : [[pair.slice(0, at).trim(), value] as const];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function fault(name: string, takes: string): LoopxError {
  const variable = `OTEL_EXPORTER_OTLP_${name}`;
  return new LoopxError("invalid_value", {
    message: `the environment variable ${variable} ${takes}`,
    hint: "for example OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318, or unset it",
    details: { field: variable },
  });
}
