import { describe, expect, test } from "vitest";
import { digestOf, isLoopxError, sha256Hex } from "@loopx/contracts";
import { createBuild } from "../../src/build/create-build.ts";
import { createDeskBuild, createProject, HOUSE_RULES } from "./support-desk.ts";

describe("a build", () => {
  test("pins every text by the digest of its bytes and lists every provider as unpinned", async () => {
    const { manifest, digest, blobs } = await createDeskBuild((document) => {
      document.layers[0].bindings.push({ text: "Grüße" });
    });
    expect(manifest.resolved).toEqual([
      {
        kind: "FILE",
        layer: "house-rules",
        binding: 0,
        path: "layers/house-rules.md",
        sha256: sha256Hex("Be kind.\n"),
        bytes: 9,
      },
      { kind: "TEXT", layer: "house-rules", binding: 1, path: null, sha256: sha256Hex("Grüße"), bytes: 7 },
    ]);
    expect(manifest.unpinned).toEqual([
      {
        kind: "RUNTIME_PROVIDER",
        provider: "customer-data",
        contract: "context-provider.v1",
        lookup: { input: "customerId", pattern: "^CUST-[0-9]{4}$" },
        maxItems: 2,
        layers: ["customer-profile"],
      },
      {
        kind: "RUNTIME_PROVIDER",
        provider: "order-data",
        contract: "context-provider.v1",
        lookup: { input: "orderId", pattern: "^ORD-[0-9]{5}$" },
        maxItems: 1,
        layers: ["order-status"],
      },
    ]);
    expect(digest).toBe(digestOf(manifest));
    expect([...blobs.values()]).toEqual(["Be kind.\n", "Grüße"]);
  });

  test("lists a provider that no layer binds, too", async () => {
    const { manifest } = await createDeskBuild((document) => {
      document.tests = [];
      document.layers.pop();
      document.profiles[0].layers.pop();
    });
    expect(manifest.unpinned.map(({ provider, layers }) => [provider, layers])).toEqual([
      ["customer-data", ["customer-profile"]],
      ["order-data", []],
    ]);
  });

  test("doesn't know the tests and their fixtures", async () => {
    const { digest } = await createDeskBuild();
    expect((await createDeskBuild((document) => delete document.tests)).digest).toBe(digest);
    expect((await createDeskBuild((document) => (document.tests[0].providers = {}))).digest).toBe(digest);
  });

  test("doesn't know how the project was spelled", async () => {
    const { digest } = await createDeskBuild();
    const spelledOut = await createDeskBuild((document) => {
      document.layers[0].emptyIs = "empty";
      document.$schema = "https://example.com/schema.json";
      document.profiles[0].layers[0].accept = ["CURRENT"];
    });
    expect(spelledOut.digest).toBe(digest);
  });

  test.each<[string, (document: any) => void]>([
    ["a budget", (document) => (document.profiles[0].budget.bytes = 1)],
    ["a pattern", (document) => (document.providers[0].lookup.pattern = "^C$")],
    ["a name", (document) => (document.layers[0].name = "Rules")],
    ["the order of layers", (document) => document.layers.push(document.layers.shift())],
    ["the version", (document) => (document.version = "0.1.1")],
  ])("is another one with another %s", async (_name, change) => {
    expect((await createDeskBuild(change)).digest).not.toBe((await createDeskBuild()).digest);
  });

  test("is another one with other bytes in a file", async () => {
    const other = await createDeskBuild(undefined, new Map([["layers/house-rules.md", "Be kind.\r\n"]]));
    expect(other.digest).not.toBe((await createDeskBuild()).digest);
  });

  test("is refused without one of its files", async () => {
    const project = await createProject();
    expect(HOUSE_RULES.size).toBe(1);
    try {
      createBuild(project, new Map());
      expect.unreachable();
    } catch (error) {
      expect(isLoopxError(error) && [error.code, error.message]).toEqual([
        "file_not_readable",
        "layer house-rules names layers/house-rules.md, which was not given",
      ]);
    }
  });
});
