import { LoopxError, type Ambient } from "@loopx/contracts";

/** Where spans go, by the standard variables of OpenTelemetry. */
export interface OtlpSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
}

/**
 * The settings in an environment, or null where nothing is to be exported: without an endpoint, with `OTEL_SDK_DISABLED=true`
 * or `OTEL_TRACES_EXPORTER=none`.
 *
 * Refuses with `invalid_value` an endpoint that is no URL over HTTP, and gRPC. JSON is sent, which every collector takes on
 * its HTTP port, whether `http/json` or `http/protobuf` is asked for.
 */
export function readOtlpSettings(env: Ambient["env"]): OtlpSettings | null {
  const read = (name: string): string => (env[name] ?? "").trim();
  if (read("OTEL_SDK_DISABLED").toLowerCase() === "true" || read("OTEL_TRACES_EXPORTER") === "none") return null;
  const url = findUrl(read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), read("OTEL_EXPORTER_OTLP_ENDPOINT"));
  if (url === undefined) return null;
  const protocol = read("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || read("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol === "grpc") throw fault("OTEL_EXPORTER_OTLP_PROTOCOL", "takes http/json; gRPC is not spoken");
  const timeout = Number(read("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") || read("OTEL_EXPORTER_OTLP_TIMEOUT") || 10_000);
  const serviceName = read("OTEL_SERVICE_NAME");
  return {
    url,
    headers: parsePairs(read("OTEL_EXPORTER_OTLP_TRACES_HEADERS") || read("OTEL_EXPORTER_OTLP_HEADERS")),
    timeoutMs: timeout > 0 && timeout <= 60_000 ? timeout : 10_000,
    resource: {
      "service.name": "loopx-context",
      ...parsePairs(read("OTEL_RESOURCE_ATTRIBUTES")),
      ...(serviceName === "" ? {} : { "service.name": serviceName }),
    },
  };
}

/** The one for traces is taken as it is; to the one for all signals the path of traces is added. */
function findUrl(traces: string, all: string): string | undefined {
  const [name, text] =
    traces === ""
      ? (["OTEL_EXPORTER_OTLP_ENDPOINT", all === "" ? "" : `${all.replace(/\/+$/, "")}/v1/traces`] as const)
      : (["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", traces] as const);
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
  return new LoopxError("invalid_value", {
    message: `the environment variable ${name} ${takes}`,
    hint: "for example OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318, or unset it",
    details: { field: name },
  });
}
