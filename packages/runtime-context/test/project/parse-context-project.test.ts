import { describe, expect, test } from "vitest";
import { isLoopxError } from "@loopx/contracts";
import type { Finding } from "../../src/project/document/finding.ts";
import { inspectContextProject, parseContextProject } from "../../src/project/parse-context-project.ts";
import { createProjectDocument, SEED_PROJECT } from "./minimal-project.ts";

const JSON_FILE = { path: "context.project.json", format: "json" } as const;

/** Findings for the small project after a change, as `rule pointer: message`. */
async function findingsAfter(change: (document: any) => void): Promise<readonly string[]> {
  const document: unknown = createProjectDocument();
  change(document);
  const { findings } = await inspectContextProject(JSON.stringify(document, null, 2), JSON_FILE);
  return findings.map(summarise);
}

function summarise({ severity, rule, pointer, message }: Finding): string {
  return `${severity === "warning" ? "warning " : ""}${rule} ${pointer ?? "-"}: ${message}`;
}

describe("a Context Project that is right", () => {
  test("takes the seed's snippet word for word and fills in what is left out", async () => {
    expect(await parseContextProject(SEED_PROJECT, JSON_FILE)).toEqual({
      contract: "context-project.v1",
      id: "support-desk",
      version: "1.0.0",
      objectives: [{ id: "answer-ticket", name: null }],
      consumers: [{ id: "support-agent", name: null }],
      profiles: [
        {
          id: "support",
          name: null,
          layers: [{ layer: "customer-profile", rule: "required", priority: 100, accept: ["CURRENT"] }],
          budget: { bytes: 4096, tokens: null },
        },
      ],
      layers: [
        {
          id: "customer-profile",
          name: "Customer profile",
          bindings: [{ kind: "provider", provider: "customer-data" }],
          objectives: null,
          consumers: null,
          requiresInput: [],
          emptyIs: "empty",
          metadata: [],
        },
      ],
      providers: [
        {
          id: "customer-data",
          name: "Customer data",
          lookup: { input: "customerId", pattern: "^CUST-[0-9]{4}$" },
          maxItems: 2,
        },
      ],
      tests: [],
    });
  });

  test("means the same in JSON, JSONC and YAML, with and without a byte order mark", async () => {
    const expected = await parseContextProject(SEED_PROJECT, JSON_FILE);
    const jsonc = SEED_PROJECT.replace('"version"', '// what we ship\n  /* now */ "version"').replace(
      "2 }]",
      "2, }, ]",
    );
    const yaml = [
      "contract: context-project.v1",
      "id: support-desk",
      'version: "1.0.0"',
      "objectives: [{ id: answer-ticket }]",
      "consumers:",
      "  - id: support-agent",
      "profiles:",
      "  - id: support",
      "    budget: { bytes: 4096 }",
      "    layers: [{ layer: customer-profile, rule: required }]",
      "providers:",
      "  - id: customer-data",
      "    name: Customer data",
      '    lookup: { input: customerId, pattern: "^CUST-[0-9]{4}$" }',
      "    maxItems: 2",
      "layers:",
      "  - { id: customer-profile, name: Customer profile, bindings: [{ provider: customer-data }] }",
    ].join("\n");
    expect(await parseContextProject(jsonc, { path: "context.project.jsonc", format: "jsonc" })).toEqual(expected);
    expect(await parseContextProject(yaml, { path: "context.project.yaml", format: "yaml" })).toEqual(expected);
    expect(await parseContextProject(`\uFEFF${SEED_PROJECT}`, JSON_FILE)).toEqual(expected);
    expect(await parseContextProject(Buffer.from(`\uFEFF${SEED_PROJECT}`), JSON_FILE)).toEqual(expected);
  });

  test("takes both of the seed's forms of a fixture", async () => {
    const found = await findingsAfter((document) => {
      const shared = { objective: "answer-ticket", consumer: "support-agent" };
      document.tests = [
        { id: "known", ...shared, providers: { "customer-data": { items: [{ id: "CUST-1042", content: "…" }] } } },
        { id: "slow", ...shared, profile: "support", providers: { "customer-data": { status: "TIMEOUT" } } },
      ];
    });
    expect(found).toEqual([]);
  });
});

describe("what belongs in a Deployment Binding", () => {
  const keys = [
    "url",
    "endpoint",
    "baseUrl",
    "host",
    "port",
    "token",
    "secret",
    "api_key",
    "password",
    "dsn",
    "database",
  ];

  test.each([...keys, "table", "columns", "http", "sqlite", "headers", "timeoutMs", "maxBytes"])(
    "is refused as the key %s of a provider, by these words",
    async (key) => {
      const found = await findingsAfter((document) => {
        document.providers[0][key] = 1;
      });
      expect(found).toEqual([`BINDING_FIELD_IN_PROJECT /providers/0/${key}: "${key}" belongs in a Deployment Binding`]);
    },
  );

  test.each([
    "https://crm.internal.example/lookup",
    "postgres://reader@db/crm",
    "jdbc:oracle:thin:@db",
    "customers.sqlite",
    "reader:hunter@db.internal",
  ])("is refused as a provider's value: %s", async (address) => {
    const found = await findingsAfter((document) => {
      document.providers[0].name = address;
    });
    expect(found[0]).toBe("BINDING_FIELD_IN_PROJECT /providers/0/name: an address belongs in a Deployment Binding");
  });

  test("is refused as a layer's file that is a database", async () => {
    const found = await findingsAfter((document) => {
      document.layers[0].bindings = [{ file: "layers/customers.db" }];
    });
    expect(found).toContain(
      "BINDING_FIELD_IN_PROJECT /layers/0/bindings/0/file: a database belongs in a Deployment Binding",
    );
  });

  test("is named in the error itself", async () => {
    const source = SEED_PROJECT.replace('"maxItems": 2', '"maxItems": 2, "url": "https://crm.example.com"');
    const error: unknown = await parseContextProject(source, JSON_FILE).catch((thrown: unknown) => thrown);
    expect(isLoopxError(error) && [error.code, error.message]).toEqual([
      "project_invalid",
      'context.project.json:8 /providers/0/url: "url" belongs in a Deployment Binding (and 1 more)',
    ]);
  });

  test("doesn't touch words that only look alike", async () => {
    const found = await findingsAfter((document) => {
      document.providers[0].report = 1;
    });
    expect(found).toEqual(['UNKNOWN_KEY /providers/0/report: unknown key "report"']);
  });
});

describe("a fault in a project", () => {
  test.each<[string, (document: any) => void, string]>([
    [
      "a mistyped key",
      (d) => Object.assign(d.layers[0], { requireInput: [] }),
      'UNKNOWN_KEY /layers/0/requireInput: unknown key "requireInput" (did you mean "requiresInput"?)',
    ],
    [
      "a key of the wrong level",
      (d) => Object.assign(d, { layer: [] }),
      'UNKNOWN_KEY /layer: unknown key "layer" (did you mean "layers"?)',
    ],
    [
      "a layer that isn't there",
      (d) => (d.profiles[0].layers[0].layer = "customer-profil"),
      'UNKNOWN_REFERENCE /profiles/0/layers/0/layer: no layer has the id "customer-profil" (did you mean "customer-profile"?)',
    ],
    [
      "a provider that isn't there",
      (d) => (d.layers[0].bindings[0].provider = "costumer-data"),
      'UNKNOWN_REFERENCE /layers/0/bindings/0/provider: no provider has the id "costumer-data" (did you mean "customer-data"?)',
    ],
    [
      "an objective that isn't there",
      (d) => (d.layers[0].objectives = ["sell"]),
      'UNKNOWN_REFERENCE /layers/0/objectives/0: no objective has the id "sell"',
    ],
    [
      "an id used twice",
      (d) => d.layers.push(d.layers[0]),
      'DUPLICATE_ID /layers/1/id: "customer-profile" is there twice among the ids of the layers',
    ],
    [
      "a layer ruled twice",
      (d) => d.profiles[0].layers.push(d.profiles[0].layers[0]),
      'DUPLICATE_ID /profiles/0/layers/1/layer: "customer-profile" is there twice among the ids of this profile\'s layers',
    ],
    [
      "a provider bound twice",
      (d) => d.layers[0].bindings.push({ provider: "customer-data" }),
      'DUPLICATE_ID /layers/0/bindings/1: binds "customer-data" twice',
    ],
    [
      "an upper-case id",
      (d) => (d.id = "Support"),
      "INVALID_VALUE /id: must be 1 to 63 of a-z 0-9 - beginning with a letter",
    ],
    ["an id that every object has", (d) => (d.id = "constructor"), "INVALID_VALUE /id: is a reserved word"],
    ["a missing part", (d) => delete d.providers[0].lookup.pattern, "MISSING /providers/0/lookup/pattern: is missing"],
    [
      "a wrong word",
      (d) => (d.profiles[0].layers[0].rule = "must"),
      'INVALID_VALUE /profiles/0/layers/0/rule: must be "required" or "optional" or "excluded"',
    ],
    [
      "a number for text",
      (d) => (d.version = 1),
      "INVALID_VALUE /version: must be text; a number or a date needs quotes",
    ],
    [
      "too many items",
      (d) => (d.providers[0].maxItems = 101),
      "INVALID_VALUE /providers/0/maxItems: is over the limit of 100",
    ],
    ["no layer", (d) => (d.profiles[0].layers = []), "INVALID_VALUE /profiles/0/layers: must be at least 1 entry"],
    [
      "two kinds of binding at once",
      (d) => (d.layers[0].bindings[0].text = "x"),
      "INVALID_VALUE /layers/0/bindings/0: must have exactly one of text, file, provider",
    ],
    [
      "a pattern that looks ahead",
      (d) => (d.providers[0].lookup.pattern = "(?=a)"),
      "INVALID_PATTERN /providers/0/lookup/pattern: the pattern does not compile: invalid or unsupported Perl syntax: `(?=`",
    ],
    [
      "a path out of the project",
      (d) => (d.layers[0].bindings = [{ file: "../x.md" }]),
      "INVALID_PATH /layers/0/bindings/0/file: must not leave the project: no . and no .. in the path",
    ],
    [
      "an invisible character in a name",
      (d) => (d.layers[0].name = "Cust\u202Eomer"),
      "INVALID_VALUE /layers/0/name: holds control or invisible characters",
    ],
    [
      "another contract",
      (d) => (d.contract = "context-project.v2"),
      'INVALID_VALUE /contract: must be "context-project.v1"',
    ],
  ])("%s is found and placed", async (_name, change, expected) => {
    expect((await findingsAfter(change)).filter((said) => !said.startsWith("warning"))).toEqual([expected]);
  });

  test.each<[string, object, string]>([
    ["objective", { objective: "sell" }, 'UNKNOWN_REFERENCE /tests/0/objective: no objective has the id "sell"'],
    [
      "consumer",
      { consumer: "support-agnt" },
      'UNKNOWN_REFERENCE /tests/0/consumer: no consumer has the id "support-agnt" (did you mean "support-agent"?)',
    ],
    [
      "profile",
      { profile: "suport" },
      'UNKNOWN_REFERENCE /tests/0/profile: no profile has the id "suport" (did you mean "support"?)',
    ],
    [
      "provider",
      { providers: { crm: { items: [] } } },
      'UNKNOWN_REFERENCE /tests/0/providers/crm: no provider has the id "crm"',
    ],
    [
      "status",
      { providers: { "customer-data": { status: "OK" } } },
      'INVALID_VALUE /tests/0/providers/customer-data/status: must be "NOT_FOUND" or "TIMEOUT" or "UNAVAILABLE" or "LIMIT_EXCEEDED" or "INVALID_RESPONSE" or "SECRET_DETECTED" or "INCOMPATIBLE" or "NOT_BOUND" or "INVALID_REQUEST" or "NOT_EVALUATED"',
    ],
  ])("a test's wrong %s is found", async (_name, change, expected) => {
    const found = await findingsAfter((document) => {
      document.tests = [{ id: "one", objective: "answer-ticket", consumer: "support-agent", ...change }];
    });
    expect(found).toEqual([expected]);
  });

  test("a profile that reaches seventeen providers is refused", async () => {
    const found = await findingsAfter((document) => {
      const [provider] = document.providers;
      document.providers = Array.from({ length: 17 }, (_, index) => ({ ...provider, id: `p-${index}` }));
      document.layers[0].bindings = document.providers.map(({ id }: { id: string }) => ({ provider: id }));
    });
    expect(found).toEqual(["TOO_MANY_PROVIDERS /profiles/0: reaches 17 providers, the limit of a profile is 16"]);
  });

  test("what nothing uses is a warning and no more", async () => {
    const document = createProjectDocument() as any;
    document.layers[0].bindings = [{ text: "x" }];
    const { project, findings } = await inspectContextProject(JSON.stringify(document), JSON_FILE);
    expect([project?.id, findings.map(summarise)]).toEqual([
      "support-desk",
      ["warning NOT_USED /providers/0: no layer binds this provider"],
    ]);
  });

  test.each<["json" | "jsonc" | "yaml", string, number]>([
    ["json", '{\n  "contract": "context-project.v1",\n  "idd": "x"\n}', 3],
    ["jsonc", '{\n  // one\n  "contract": "context-project.v1",\n\n  "idd": "x",\n}', 5],
    ["yaml", "contract: context-project.v1\n# two\nidd: x\n", 3],
  ])("is placed on its line in %s", async (format, source, line) => {
    const { findings } = await inspectContextProject(source, { path: `p.${format}`, format });
    expect(findings.find(({ rule }) => rule === "UNKNOWN_KEY")).toEqual({
      severity: "error",
      rule: "UNKNOWN_KEY",
      file: `p.${format}`,
      line,
      pointer: "/idd",
      message: 'unknown key "idd" (did you mean "id"?)',
      hint: null,
    });
  });
});

describe("secrets and personal data", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;

  test("a credential is refused with line and rule, and never repeated", async () => {
    const source = SEED_PROJECT.replace("Customer profile", `Customer ${token}`);
    const { project, findings } = await inspectContextProject(source, JSON_FILE);
    expect(project).toBeNull();
    expect(findings.map(({ line, message }) => [line, message])).toEqual([
      [9, "holds a credential (rule github_token)"],
    ]);
    expect(JSON.stringify(findings)).not.toContain(token.slice(0, 12));
  });

  test("an escape doesn't hide it", async () => {
    const source = SEED_PROJECT.replace("Customer profile", `Customer \\u0067${token.slice(1)}`);
    const { findings } = await inspectContextProject(source, JSON_FILE);
    expect(findings.map(summarise)).toEqual(["SECRET_IN_FILE /layers/0/name: holds a credential (rule github_token)"]);
  });

  test.each([
    [
      "ann.lee@gmail.com",
      undefined,
      ["warning PERSONAL_DATA /tests/0/providers: a fixture holds what looks like real personal data (email)"],
    ],
    [
      "4111 1111 1111 1111",
      undefined,
      ["warning PERSONAL_DATA /tests/0/providers: a fixture holds what looks like real personal data (payment_card)"],
    ],
    ["ann.lee@gmail.com", true, []],
    ["ann@example.com", undefined, []],
    ["4111 1111 1111 1112", undefined, []],
  ])("a fixture with %s, synthetic %s", async (content, synthetic, expected) => {
    const found = await findingsAfter((document) => {
      const providers = { "customer-data": { items: [{ id: "CUST-1042", content }] } };
      document.tests = [{ id: "one", objective: "answer-ticket", consumer: "support-agent", synthetic, providers }];
    });
    expect(found).toEqual(expected);
  });
});
