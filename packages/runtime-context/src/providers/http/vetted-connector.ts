import { isIP, connect as connectTcp, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AddressPolicy } from "../../binding/address-policy.ts";
import { ConnectRefused, toConnectRefused } from "./transport-fault.ts";

/** Every address of a host name, as the system's resolver gives them. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface ConnectorParts {
  readonly url: URL;
  readonly policy: AddressPolicy;
  readonly resolveHost: ResolveHost;
  /** PEM roots that replace the system's. */
  readonly certificateAuthorities?: readonly string[];
}

export type ConnectCallback = (...outcome: [null, Socket] | [Error, null]) => void;

/** Starts a connection; what it returns gives it up. */
export type VettedConnector = (callback: ConnectCallback) => () => void;

/**
 * Connects to the bound origin and nowhere else (attacks S2 to S13).
 *
 * All addresses of the host must be allowed before any is tried, only those are tried, and the address that the socket
 * ends up with is compared once more. HTTP without TLS is for loopback alone, whatever a resolver says.
 */
export function createVettedConnector(parts: ConnectorParts): VettedConnector {
  return (callback) => {
    const attempt = createAttempt(callback);
    void connectVetted(parts, attempt).then(
      (socket) => attempt.settle(socket),
      (error: unknown) => attempt.fail(error instanceof Error ? error : new ConnectRefused("CONNECTION_FAILED")),
    );
    return () => attempt.fail(new ConnectRefused("CANCELLED"));
  };
}

interface Attempt {
  /** Opens a socket that giving up closes; opens none when that was before. */
  open(openSocket: () => Socket): Socket;
  settle(socket: Socket): void;
  fail(error: Error): void;
}

function createAttempt(callback: ConnectCallback): Attempt {
  let isOver = false;
  const held: Socket[] = [];
  return {
    open(openSocket) {
      if (isOver) throw new ConnectRefused("CANCELLED");
      const socket = openSocket();
      socket.on("error", () => undefined);
      held.push(socket);
      return socket;
    },
    settle(socket) {
      if (isOver) return;
      isOver = true;
      callback(null, socket);
    },
    fail(error) {
      if (isOver) return;
      isOver = true;
      for (const socket of held) socket.destroy();
      callback(error, null);
    },
  };
}

async function connectVetted(parts: ConnectorParts, attempt: Attempt): Promise<Socket> {
  const addresses = await findAllowedAddresses(parts);
  const tcp = attempt.open(() => openTcp(parts.url, addresses));
  await once(tcp, "connect", "tcp");
  const remote = tcp.remoteAddress ?? "";
  if (!addresses.map(toCanonicalAddress).includes(toCanonicalAddress(remote)))
    throw new ConnectRefused("ADDRESS_CHANGED");
  if (parts.url.protocol === "http:") return tcp;
  const tls = attempt.open(() => openTls(parts, tcp));
  await once(tls, "secureConnect", "tls");
  return tls;
}

async function findAllowedAddresses({ url, policy, resolveHost }: ConnectorParts): Promise<readonly string[]> {
  const hostname = toHostname(url);
  const addresses = isIP(hostname) === 0 ? await resolveHost(hostname).catch(refuseDns) : [hostname];
  if (addresses.length === 0) throw new ConnectRefused("DNS_FAILED");
  const isAllowed = (address: string): boolean =>
    isIP(address) !== 0 &&
    !address.includes("%") &&
    policy.isAllowed(address) &&
    (url.protocol === "https:" || isLoopback(address));
  if (!addresses.every(isAllowed)) throw new ConnectRefused("ADDRESS_REFUSED");
  return addresses;
}

function refuseDns(error: unknown): never {
  throw error instanceof Error ? toConnectRefused(error, "dns") : new ConnectRefused("DNS_FAILED");
}

/** The resolver that the socket is given knows the checked addresses and nothing else, so a second look-up can't differ. */
function openTcp(url: URL, addresses: readonly string[]): Socket {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all === true || first === undefined) callback(null, entries);
    else callback(null, first.address, first.family);
  };
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const socket = connectTcp({ host: toHostname(url), port, lookup, autoSelectFamily: true });
  return socket.setNoDelay(true).setKeepAlive(true, 60_000);
}

function openTls({ url, certificateAuthorities }: ConnectorParts, socket: Socket): Socket {
  const hostname = toHostname(url);
  return connectTls({
    socket,
    host: hostname,
    // Server names are names: RFC 6066 has no place for an address. The certificate is then checked against `host`.
    servername: isIP(hostname) === 0 ? hostname : "",
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    // Said, since NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: true,
    ...(certificateAuthorities === undefined ? {} : { ca: [...certificateAuthorities] }),
  });
}

function once(socket: Socket, event: "connect" | "secureConnect", phase: "tcp" | "tls"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once("error", (error) => reject(toConnectRefused(error, phase)));
    socket.once("close", () => reject(toConnectRefused(new Error("closed"), phase)));
  });
}

/** Without the brackets that URLs put around IPv6. */
function toHostname(url: URL): string {
  return url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
}

/** One spelling for each IPv6 address. */
function toCanonicalAddress(address: string): string {
  return isIP(address) === 6 && !address.includes("%") ? new URL(`http://[${address}]`).hostname : address;
}

function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith("127.") : toCanonicalAddress(address) === "[::1]";
}
