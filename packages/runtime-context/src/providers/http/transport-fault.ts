import { refuseAnswer, toUnavailable, type ProviderFault } from "../provider-fault.ts";

/** Why no connection was made, as the reason of an UNAVAILABLE. */
export class ConnectRefused extends Error {
  override readonly name = "ConnectRefused";
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** How an exchange broke off. */
export interface BrokenExchange {
  readonly error: Error;
  /** Whether a byte of the response had come. */
  readonly hasStarted: boolean;
}

/** Codes of a socket that the other side closed or reset. */
const CLOSED: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** True where the other side closed the socket before any byte of a response. */
export function isClosedUnanswered({ error, hasStarted }: BrokenExchange): boolean {
  return !hasStarted && CLOSED.has(findCode(error));
}

/** The fault for an exchange that broke off. Only codes are looked at: a message may quote what the provider sent. */
export function toTransportFault({ error, hasStarted }: BrokenExchange): ProviderFault {
  if (error instanceof ConnectRefused) return toUnavailable(error.reason);
  const code = findCode(error);
  if (code.startsWith("HPE_") || error.name === "HTTPParserError") return refuseAnswer("PROTOCOL");
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return refuseAnswer("FRAMING");
  if (code === "UND_ERR_HEADERS_OVERFLOW") return refuseAnswer("HEADER_BYTES");
  if (hasStarted) return refuseAnswer("INCOMPLETE");
  return toUnavailable(code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED" ? "CLOSED" : "CONNECTION_CLOSED");
}

/** Why a connection could not be made. TLS failures keep their code: the operator has to tell them apart. */
export function toConnectRefused(error: Error, phase: "dns" | "tcp" | "tls"): ConnectRefused {
  if (error instanceof ConnectRefused) return error;
  const code = findCode(error).replace(/[^A-Z0-9_]/g, "");
  if (phase === "dns") return new ConnectRefused("DNS_FAILED");
  if (phase === "tls") return new ConnectRefused(`TLS_${code.replace(/^ERR_(?:TLS|SSL)_/, "") || "FAILED"}`);
  return new ConnectRefused(code === "ECONNREFUSED" ? "CONNECTION_REFUSED" : "CONNECTION_FAILED");
}

function findCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
