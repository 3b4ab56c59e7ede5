import { isIP, type BlockList } from "node:net";
import { ADDRESS_RANGES, isInList, toBlockList } from "./address-ranges.ts";
import type { HttpProviderBinding } from "./deployment-binding.ts";

/** Decides which addresses a provider's connections may go to. */
export interface AddressPolicy {
  /** True where a connection may be made. Takes what DNS or a socket says; anything but a plain IP address is false. */
  isAllowed(address: string): boolean;
}

/**
 * The policy of one HTTP provider.
 *
 * A URL of loopback reaches loopback and nothing else; any other reaches public addresses and the ranges of
 * `allowAddresses`. Link-local, metadata services, multicast, unspecified and tunnelling ranges are never reached, and
 * loopback never by another name. An address in an address (IPv4-mapped, NAT64) is judged by the inner one.
 */
export function createAddressPolicy(binding: Pick<HttpProviderBinding, "url" | "allowAddresses">): AddressPolicy {
  if (isLoopbackHost(new URL(binding.url).hostname)) {
    return {
      isAllowed: (address) => isPlainAddress(address) && isInList(ADDRESS_RANGES.loopback, toPlainIpv4(address)),
    };
  }
  const allowed = toBlockList(binding.allowAddresses);
  return { isAllowed: (address) => isPlainAddress(address) && isReachable(toPlainIpv4(address), allowed) };
}

/** True for a host, as the WHATWG URL parser writes it, that plain HTTP may go to: `localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  if (hostname === "localhost" || hostname === "[::1]") return true;
  return isIP(hostname) === 4 && isInList(ADDRESS_RANGES.loopback, hostname);
}

/** `net.isIP` takes zone ids (`fe80::1%eth0`), which choose an interface. */
function isPlainAddress(address: string): boolean {
  return isIP(address) !== 0 && !address.includes("%");
}

function isReachable(address: string, allowed: BlockList): boolean {
  if (isInList(ADDRESS_RANGES.never, address) || isInList(ADDRESS_RANGES.loopback, address)) return false;
  if (isIP(address) === 6 && isInList(ADDRESS_RANGES.nat64, address)) {
    return isInList(allowed, address) && isReachable(lastIpv4(address), allowed);
  }
  if (isInList(allowed, address)) return true;
  if (isInList(ADDRESS_RANGES.private, address)) return false;
  return isIP(address) === 4 || isInList(ADDRESS_RANGES.publicIpv6, address);
}

/** `::ffff:10.0.0.1` is 10.0.0.1 written for a socket of both families. */
function toPlainIpv4(address: string): string {
  return isIP(address) === 6 && /^\[::ffff:[0-9a-f]+:[0-9a-f]+\]$/.test(normaliseIpv6(address))
    ? lastIpv4(address)
    : address;
}

/** The IPv4 address in the last 32 bits. */
function lastIpv4(address: string): string {
  const [low = "0", high = "0"] = normaliseIpv6(address).slice(1, -1).split(":").toReversed();
  const bits = [high, low].map((group) => Number.parseInt(group === "" ? "0" : group, 16));
  return bits.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

/** RFC 5952 in brackets: one spelling for each address. */
function normaliseIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname;
}
