import { BlockList, isIP } from "node:net";

/** Sources: IANA special-purpose address registries (RFC 6890 and successors), the clouds' documentation of metadata services. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Never contacted, whatever a Binding allows. */
const NEVER = [
  // this network, link-local with the metadata service, multicast, reserved and broadcast
  "0.0.0.0/8 169.254.0.0/16 224.0.0.0/4 240.0.0.0/4",
  // metadata and host services outside of link-local: Alibaba, Azure, Oracle; Amazon, Google
  "100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 fd00:ec2::254/128 fd20:ce::254/128",
  // unspecified and IPv4-compatible, SIIT, link-local, site-local, multicast, discard-only
  "::/96 ::ffff:0:0:0/96 fe80::/10 fec0::/10 ff00::/8 100::/64",
  // tunnels that carry an IPv4 address of their own choice: Teredo, 6to4 and its relay, local NAT64
  "2001::/32 2002::/16 192.88.99.0/24 64:ff9b:1::/48",
].flatMap((line) => line.split(" "));

/** Not public; a Binding may allow them. */
const PRIVATE = [
  "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24",
  "2001::/23 2001:db8::/32 3fff::/20",
].flatMap((line) => line.split(" "));

/** The only part of IPv6 that is handed out for the public Internet (RFC 4291). */
const PUBLIC_IPV6 = ["2000::/3"];

/** Addresses of the public Internet's IPv4 as an IPv6-only network sees them (RFC 6052). */
const NAT64 = ["64:ff9b::/96"];

/** The ranges as lists to look addresses up in. */
export const ADDRESS_RANGES = {
  loopback: toBlockList(LOOPBACK),
  never: toBlockList(NEVER),
  private: toBlockList(PRIVATE),
  publicIpv6: toBlockList(PUBLIC_IPV6),
  nat64: toBlockList(NAT64),
} as const;

/** A list of CIDR ranges. Every entry must have passed `findCidrFault`. */
export function toBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const { address, bits, family } = splitCidr(cidr);
    list.addSubnet(address, bits, family);
  }
  return list;
}

/** Whether an address, which `net.isIP` must take, lies in a list. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isInList(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Why a CIDR range may not be allowed by a Binding, or undefined. */
export function findCidrFault(cidr: string): string | undefined {
  const { address, bits, family } = splitCidr(cidr);
  const width = family === "ipv6" ? 128 : 32;
  if (isIP(address) === 0 || address.includes("%") || !/^[^/]+\/\d{1,3}$/.test(cidr) || bits > width) {
    return "must be a range such as 10.20.0.0/16 or fd12:3456::/32";
  }
  const narrowest = family === "ipv6" ? 7 : 8;
  if (bits < narrowest) return `is wider than any private network; /${narrowest} is the widest`;
  const isNever = isInList(ADDRESS_RANGES.never, address) || isInList(ADDRESS_RANGES.loopback, address);
  return isNever ? "begins in loopback, link-local, metadata or another range that is never contacted" : undefined;
}

function splitCidr(cidr: string): {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
} {
  const [address = "", bits = ""] = cidr.split("/");
  return { address, bits: Number(bits), family: isIP(address) === 6 ? "ipv6" : "ipv4" };
}
