import { expect, test } from "vitest";
import { parseServedHost } from "../../src/workstation/served-host.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["127.1", "127.0.0.1"],
  ["LocalHost", "localhost"],
  ["::1", "::1"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ["2001:DB8::1", "2001:db8::1"],
  ["desk.example", "desk.example"],
])("%s is served as browsers write it: %s", (given, served) => {
  expect(parseServedHost(given)).toBe(served);
});

test.each(["0.0.0.0", "0", "0x0", "::", "::0", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0", "*"])(
  "%s is every address there is, and no request can be held against it",
  (given) => {
    expect(() => parseServedHost(given)).toThrow(/one address/);
  },
);

test.each(["", "[::1]", "a b", "x/y", "user@127.0.0.1", "127.0.0.1:80", "fe80::1%eth0", "256.0.0.1"])(
  "%j is no address",
  (given) => {
    expect(() => parseServedHost(given)).toThrow();
  },
);
