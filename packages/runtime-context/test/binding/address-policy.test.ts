import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { createAddressPolicy } from "../../src/binding/address-policy.ts";

const PUBLIC = createAddressPolicy({ url: "https://crm.example.com/", allowAddresses: [] });

/** IANA special-purpose registries and the clouds' metadata addresses, in many spellings. */
const SPECIAL = [
  "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255",
  "192.0.0.8 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1",
  "239.255.255.255 240.0.0.1 255.255.255.255 100.100.100.200 168.63.129.16",
  ":: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:a00:1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8",
  "64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1::1 2001:10::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254",
  "fd20:ce::254 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1 4000::1 8000::1",
].flatMap((line) => line.split(" "));

describe("addresses of a provider on the Internet", () => {
  test.each(SPECIAL)("%s is not contacted", (address) => {
    expect(PUBLIC.isAllowed(address)).toBe(false);
  });

  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.32.0.1",
    "172.15.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "11.0.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
  ])("%s is", (address) => {
    expect(PUBLIC.isAllowed(address)).toBe(true);
  });

  test.each([
    "",
    "crm.example.com",
    "010.0.0.1",
    "0x7f.1",
    "2130706433",
    "127.1",
    "8.8.8.8:443",
    "[::1]",
    " 8.8.8.8",
    "8.8.8.8\n",
  ])("%j is no address", (address) => {
    expect(PUBLIC.isAllowed(address)).toBe(false);
  });
});

describe("a binding's own ranges", () => {
  const wide = createAddressPolicy({
    url: "https://crm.internal/",
    allowAddresses: ["10.0.0.0/8", "100.64.0.0/10", "160.0.0.0/8", "fc00::/7", "64:ff9b::/96", "126.0.0.0/8"],
  });

  test.each(["10.200.0.1", "::ffff:10.1.1.1", "100.64.0.1", "fd12::1", "8.8.8.8", "64:ff9b::8.8.8.8"])(
    "%s is contacted",
    (address) => {
      expect(wide.isAllowed(address)).toBe(true);
    },
  );

  test.each([
    "192.168.0.1",
    "127.0.0.1",
    "::1",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "fd00:ec2::254",
    "fd20:ce::254",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::192.168.0.1",
    "fe80::1",
  ])("%s never is, or not by these", (address) => {
    expect(wide.isAllowed(address)).toBe(false);
  });
});

describe("loopback", () => {
  test.each(["http://localhost:1024/", "http://127.0.0.1:8787/", "http://[::1]:8787/", "https://localhost/"])(
    "%s reaches loopback alone",
    (url) => {
      const policy = createAddressPolicy({ url, allowAddresses: ["10.0.0.0/8"] });
      expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].map((address) => policy.isAllowed(address))).toEqual(
        [true, true, true, true],
      );
      expect(
        ["8.8.8.8", "10.0.0.1", "169.254.169.254", "2606:4700::1111", "::"].map((address) => policy.isAllowed(address)),
      ).toEqual([false, false, false, false, false]);
    },
  );
});

function toNumber(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

test("an IPv4 address and its IPv4-mapped form are judged alike, and always as a naive reading of the ranges says", () => {
  const ranges: readonly (readonly [string, number])[] = [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 3],
    ["168.63.129.16", 32],
  ];
  const inRange = (address: string): boolean =>
    ranges.some(
      ([base, bits]) =>
        Math.floor(toNumber(address) / 2 ** (32 - bits)) === Math.floor(toNumber(base) / 2 ** (32 - bits)),
    );
  const first = fc.oneof(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 168, 224, 255), fc.nat(255));
  const second = fc.oneof(fc.constantFrom(0, 16, 18, 31, 51, 63, 64, 88, 127, 128, 168, 254), fc.nat(255));
  fc.assert(
    fc.property(first, second, fc.nat(255), fc.nat(255), (a, b, c, d) => {
      const address = [a, b, c, d].join(".");
      expect(PUBLIC.isAllowed(address)).toBe(!inRange(address));
      expect(PUBLIC.isAllowed(`::ffff:${address}`)).toBe(!inRange(address));
    }),
    { numRuns: 2000 },
  );
});
