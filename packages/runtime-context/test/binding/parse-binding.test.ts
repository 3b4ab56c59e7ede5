import { describe, expect, test } from "vitest";
import { digestOf, isLoopxError } from "@loopx/contracts";
import { bindingJsonSchema } from "../../src/binding/binding-schema.ts";
import { inspectBinding, parseBinding } from "../../src/binding/parse-binding.ts";
import { scaffoldProject } from "../../src/project/scaffold-project.ts";

const BINDING = {
  contract: "context-binding.v1",
  id: "production",
  providers: {
    "customer-data": { type: "http", url: "https://crm.example.com/context", secret: "env:CRM_TOKEN" },
    "order-data": {
      type: "sqlite",
      database: "data/orders.db",
      table: "orders",
      columns: { id: "order_id", content: "summary" },
      key: "order_id",
    },
  },
  keyset: "file:keyset.json",
};
const PATH = "/srv/loopx/context-binding.json";

async function findingsAfter(change: (document: any) => void): Promise<readonly string[]> {
  const document: unknown = structuredClone(BINDING);
  change(document);
  const { findings } = await inspectBinding(JSON.stringify(document, null, 2), { path: PATH });
  return findings.map(({ rule, line, pointer, message }) => `${rule} ${line} ${pointer}: ${message}`);
}

test("a malformed part doesn't hide what is wrong with the others", async () => {
  const found = await findingsAfter((document) => {
    document.providers["order-data"].key = 7;
    document.providers["customer-data"].secret = "hunter2";
    document.keyset = "hunter3";
  });
  expect(found.map((line) => line.replace(/:.*/, "").replace(/ \d+ /, " "))).toEqual([
    "INVALID_VALUE /providers/order-data/key",
    "INLINE_SECRET /providers/customer-data/secret",
    "INLINE_SECRET /keyset",
    "SECRET_IN_FILE null",
  ]);
  expect(found.join()).not.toContain("hunter");
  for (const document of ["null", "7", '"text"', '{"providers":null}', '{"providers":"abc","keyset":1}']) {
    const { binding, findings } = await inspectBinding(document, { path: PATH });
    expect([binding, findings.length > 0]).toEqual([null, true]);
  }
});

describe("a Deployment Binding that is right", () => {
  test("has its URLs normalised, its paths resolved and the seed's limits as defaults", async () => {
    const binding = await parseBinding(JSON.stringify(BINDING), { path: PATH });
    expect(binding).toEqual({
      contract: "context-binding.v1",
      id: "production",
      revision: expect.stringMatching(/^r-[0-9a-f]{12}$/),
      providers: {
        "customer-data": {
          type: "http",
          url: "https://crm.example.com/context",
          secret: { kind: "env", name: "CRM_TOKEN" },
          timeoutMs: 2000,
          maxBytes: 262_144,
          maxItems: 100,
          itemBytes: 65_536,
          allowAddresses: [],
          maxAgeSeconds: null,
          retention: "digest",
        },
        "order-data": {
          type: "sqlite",
          database: "/srv/loopx/data/orders.db",
          table: "orders",
          columns: { id: "order_id", content: "summary", title: null, updatedAt: null },
          key: "order_id",
          timeoutMs: 2000,
          maxItems: 100,
          itemBytes: 65_536,
          maxAgeSeconds: null,
          retention: "digest",
        },
      },
      keyset: { kind: "file", path: "/srv/loopx/keyset.json" },
      audit: "best_effort",
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });

  test("has a digest that anybody can take of it, and a revision that changes with what it says", async () => {
    const { digest, ...rest } = await parseBinding(JSON.stringify(BINDING), { path: PATH });
    expect(digest).toBe(digestOf(rest));
    const other = await parseBinding(JSON.stringify({ ...BINDING, audit: "required" }), { path: PATH });
    expect([other.digest === digest, other.revision === rest.revision]).toEqual([false, false]);
    const named = await parseBinding(JSON.stringify({ ...BINDING, revision: "2026-10-08.1" }), { path: PATH });
    expect(named.revision).toBe("2026-10-08.1");
  });

  test("is the same in YAML and JSONC", async () => {
    const json = JSON.stringify(BINDING);
    const expected = await parseBinding(json, { path: PATH });
    expect(
      await parseBinding(
        json
          .replaceAll(":", ": ")
          .replaceAll("https: ", "https:")
          .replaceAll("env: ", "env:")
          .replaceAll("file: ", "file:"),
        { path: "/srv/loopx/b.yaml" },
      ),
    ).toEqual(expected);
    expect(await parseBinding(`// ours\n${json.slice(0, -1)},}`, { path: "/srv/loopx/b.jsonc" })).toEqual(expected);
  });

  test("is what init writes", async () => {
    const { binding } = scaffoldProject("desk");
    const parsed = await parseBinding(binding["context-binding.json"] ?? "", { path: "/srv/b/context-binding.json" });
    expect(Object.keys(parsed.providers)).toEqual(["customer-data", "order-data"]);
  });
});

describe("a fault in a binding", () => {
  test.each<[string, (document: any) => void, string]>([
    [
      "a secret written out",
      (d) => (d.providers["customer-data"].secret = "s3same-0pen"),
      "INLINE_SECRET 8 /providers/customer-data/secret: takes env:NAME or file:PATH; a secret is never written here",
    ],
    [
      "an empty reference",
      (d) => (d.providers["customer-data"].secret = "env:"),
      "INLINE_SECRET 8 /providers/customer-data/secret: takes env:NAME or file:PATH; a secret is never written here",
    ],
    [
      "a keyset written out",
      (d) => (d.keyset = "key"),
      "INLINE_SECRET 21 /keyset: takes env:NAME or file:PATH; a secret is never written here",
    ],
    [
      "a timeout under 50",
      (d) => (d.providers["customer-data"].timeoutMs = 49),
      "INVALID_VALUE 9 /providers/customer-data/timeoutMs: must be at least 50",
    ],
    [
      "a timeout over 10000",
      (d) => (d.providers["order-data"].timeoutMs = 10_001),
      "INVALID_VALUE 19 /providers/order-data/timeoutMs: is over the limit of 10000",
    ],
    [
      "bytes over 1 MiB",
      (d) => (d.providers["customer-data"].maxBytes = 1_048_577),
      "INVALID_VALUE 9 /providers/customer-data/maxBytes: is over the limit of 1048576",
    ],
    [
      "101 items",
      (d) => (d.providers["customer-data"].maxItems = 101),
      "INVALID_VALUE 9 /providers/customer-data/maxItems: is over the limit of 100",
    ],
    [
      "an item over 64 KiB",
      (d) => (d.providers["customer-data"].itemBytes = 65_537),
      "INVALID_VALUE 9 /providers/customer-data/itemBytes: is over the limit of 65536",
    ],
    [
      "half a millisecond",
      (d) => (d.providers["customer-data"].timeoutMs = 99.5),
      "INVALID_VALUE 9 /providers/customer-data/timeoutMs: must be a whole number",
    ],
    [
      "bounds of content that isn't kept",
      (d) => (d.providers["order-data"].retainSeconds = 3600),
      'NOT_USED 19 /providers/order-data/retainSeconds: bounds kept content; set "retention": "content" or leave it out',
    ],
    [
      "retention for ever",
      (d) => Object.assign(d.providers["order-data"], { retention: "content", retainSeconds: 315_360_001 }),
      "INVALID_VALUE 20 /providers/order-data/retainSeconds: is over the limit of 315360000",
    ],
    [
      "a mistyped key",
      (d) => (d.providers["customer-data"].timeoutMS = 99),
      'UNKNOWN_KEY 9 /providers/customer-data/timeoutMS: unknown key "timeoutMS" (did you mean "timeoutMs"?)',
    ],
    [
      "SQL",
      (d) => (d.providers["order-data"].sql = "SELECT 1"),
      'UNKNOWN_KEY 19 /providers/order-data/sql: unknown key "sql"',
    ],
    [
      "another type",
      (d) => (d.providers["customer-data"].type = "grpc"),
      'INVALID_VALUE 6 /providers/customer-data/type: must be "http" or "sqlite"',
    ],
    [
      "a malformed provider id",
      (d) => (d.providers["Customer"] = d.providers["customer-data"]),
      "INVALID_VALUE 20 /providers/Customer: the key must be 1 to 63 of a-z 0-9 - beginning with a letter",
    ],
    [
      "no content column",
      (d) => delete d.providers["order-data"].columns.content,
      "MISSING 14 /providers/order-data/columns/content: is missing",
    ],
    [
      "a database by URI",
      (d) => (d.providers["order-data"].database = "file:x.db?immutable=1"),
      "INVALID_VALUE 12 /providers/order-data/database: must be the path of a file, not a URI",
    ],
    [
      "a database in memory",
      (d) => (d.providers["order-data"].database = ":memory:"),
      "INVALID_VALUE 12 /providers/order-data/database: must be the path of a file, not a URI",
    ],
    [
      "a table of SQLite",
      (d) => (d.providers["order-data"].table = "sqlite_schema"),
      "INVALID_VALUE 13 /providers/order-data/table: names a table of SQLite itself",
    ],
    ["no keyset", (d) => delete d.keyset, "MISSING 1 /keyset: is missing"],
    [
      "an address range of metadata",
      (d) => (d.providers["customer-data"].allowAddresses = ["169.254.169.254/32"]),
      "INVALID_VALUE 10 /providers/customer-data/allowAddresses/0: begins in loopback, link-local, metadata or another range that is never contacted",
    ],
    [
      "a range without bits",
      (d) => (d.providers["customer-data"].allowAddresses = ["10.0.0.1"]),
      "INVALID_VALUE 10 /providers/customer-data/allowAddresses/0: must be a range such as 10.20.0.0/16 or fd12:3456::/32",
    ],
    [
      "everything",
      (d) => (d.providers["customer-data"].allowAddresses = ["0.0.0.0/0"]),
      "INVALID_VALUE 10 /providers/customer-data/allowAddresses/0: is wider than any private network; /8 is the widest",
    ],
    [
      "a credential in its URL",
      (d) => (d.providers["customer-data"].url = "https://ann:hunter22x@crm.example.com/"),
      "URL_REFUSED 7 /providers/customer-data/url: holds a user or password; give the credential as secret: env:NAME or file:PATH",
    ],
  ])("%s is refused and placed", async (_name, change, expected) => {
    expect((await findingsAfter(change))[0]).toBe(expected);
  });

  test("never repeats the secret", async () => {
    const secret = "Tr0ub4dor-and-more";
    const source = JSON.stringify({ ...BINDING, keyset: secret });
    const error: unknown = await parseBinding(source, { path: PATH }).catch((thrown: unknown) => thrown);
    expect(isLoopxError(error) && error.code).toBe("binding_invalid");
    expect(JSON.stringify([error, isLoopxError(error) && [error.message, error.details]])).not.toContain(secret);
  });

  test("a known credential anywhere in it is refused by line and rule", async () => {
    const found = await findingsAfter(
      (document) => (document.providers["order-data"].table = `ghp_${"a1B2".repeat(9)}`),
    );
    expect(found).toEqual(["SECRET_IN_FILE 13 null: holds a credential (rule github_token)"]);
  });
});

test("editors get a closed schema of both provider types", () => {
  const schema = bindingJsonSchema() as any;
  const types = schema.properties.providers.additionalProperties.oneOf;
  expect(types.map((type: any) => [type.properties.type.const, type.additionalProperties])).toEqual([
    ["http", false],
    ["sqlite", false],
  ]);
});
