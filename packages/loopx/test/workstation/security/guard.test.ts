import { describe, expect, test } from "vitest";
import { createGuard, type Guard } from "../../../src/workstation/security/guard.ts";

function guardOf(hostname: string, port = 4717): Guard {
  return createGuard({ hostname, port, credential: null, clockMs: () => 0 });
}

/** Of a request to `target` with these headers: the field that it was refused for. */
function findRefused(guard: Guard, target: string, headers: Readonly<Record<string, string>>): unknown {
  try {
    guard.assertOwnPage(new Request(target, { headers }), new URL(target).pathname);
    return undefined;
  } catch (error) {
    return (error as { details?: { field?: string } }).details?.field;
  }
}

describe("a link", () => {
  test.each([
    ["127.0.0.1", 4717, "http://127.0.0.1:4717"],
    ["127.0.0.2", 4717, "http://127.0.0.2:4717"],
    ["::1", 4717, "http://[::1]:4717"],
    ["localhost", 4717, "http://localhost:4717"],
    ["192.0.2.7", 8080, "http://192.0.2.7:8080"],
    ["127.0.0.1", 80, "http://127.0.0.1"],
  ])("leads to %s port %i, where the server listens, and is opened there", (hostname, port, origin) => {
    const guard = guardOf(hostname, port);
    const link = new URL(guard.createLink());
    expect(link.origin).toBe(origin);
    expect(findRefused(guard, `${origin}/`, { host: link.host, origin })).toBeUndefined();
  });
});

describe("a host", () => {
  test.each([
    ["127.0.0.1", "localhost:4717", undefined],
    ["::1", "localhost:4717", undefined],
    ["localhost", "127.0.0.1:4717", undefined],
    ["localhost", "[::1]:4717", undefined],
    ["127.0.0.2", "127.0.0.1:4717", "host"],
    ["127.0.0.2", "localhost:4717", "host"],
    ["192.0.2.7", "localhost:4717", "host"],
    ["127.0.0.1", "127.0.0.1", "host"],
    ["127.0.0.1", "localhost.:4717", "host"],
    ["127.0.0.1", "attacker.example:4717", "host"],
  ])("of a server at %s: %s is refused as %s", (hostname, host, field) => {
    expect(findRefused(guardOf(hostname), `http://${host}/`, { host })).toBe(field);
  });

  test("that the target names counts like the one in the header", () => {
    const host = "127.0.0.1:4717";
    expect(findRefused(guardOf("127.0.0.1"), "http://attacker.example/api/server", { host })).toBe("host");
    expect(findRefused(guardOf("127.0.0.1"), `http://${host}/`, { host: "attacker.example" })).toBe("host");
  });
});

test("a browser is let in by any cookie of the name: another server of this machine may have set one before it", () => {
  const guard = guardOf("127.0.0.1");
  const token = new URLSearchParams(new URL(guard.createLink()).hash.slice(1)).get("token") ?? "";
  const [pair = ""] = guard.signIn(token, undefined).split(";");
  const name = pair.split("=")[0] ?? "";
  const ask = (cookie: string): void =>
    guard.assertSignedIn(new Request("http://127.0.0.1:4717/api/session", { headers: { cookie } }));
  for (const cookie of [pair, `${name}=other; ${pair}`, `${pair}; ${name}=other`, `${name}=; a=b;${pair}`]) {
    expect(() => ask(cookie), cookie).not.toThrow();
  }
  for (const cookie of ["", `${name}=other; ${name}=another`, `x${pair}`, pair.slice(0, -1)]) {
    expect(() => ask(cookie), cookie).toThrow("not signed in");
  }
});
