import { renderJsonSchema } from "../schemas/json-schema.ts";

/** Files of a new project, by relative path, as text. */
export interface ScaffoldedProject {
  /** For the project's directory. */
  readonly project: Readonly<Record<string, string>>;
  /** For a directory outside of it, with the statements that make the SQLite file the binding names. */
  readonly binding: Readonly<Record<string, string>>;
  readonly database: { readonly path: string; readonly statements: readonly string[] };
}

/**
 * A small support desk: a fixed text, customer facts over HTTP, orders from SQLite, and tests with fixtures for both.
 *
 * Plain text that our own parsers take; nothing is written here. `id` is the new project's id.
 */
export function scaffoldProject(id: string): ScaffoldedProject {
  return {
    project: {
      "context.project.json": toJson(projectOf(id)),
      [PROJECT_SCHEMA]: renderJsonSchema("project"),
      "layers/house-rules.md": HOUSE_RULES,
    },
    binding: { "context-binding.json": toJson(bindingOf(id)), [BINDING_SCHEMA]: renderJsonSchema("binding") },
    database: {
      path: "orders.db",
      statements: [
        "CREATE TABLE orders (order_id TEXT PRIMARY KEY, summary TEXT NOT NULL, title TEXT, updated_at TEXT)",
        "INSERT INTO orders VALUES ('ORD-20001', 'Two desk lamps, shipped, due on Friday.', 'Order ORD-20001', '2026-10-08')",
      ],
    },
  };
}

/** Beside the file that names it: an editor needs no network for it. */
const PROJECT_SCHEMA = "context-project.schema.json";
const BINDING_SCHEMA = "context-binding.schema.json";

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const HOUSE_RULES = `# House rules

- Answer in the customer's language.
- Promise no refund; say that a colleague decides.
- Facts about a customer or an order come from the layers below. What they don't say is not known.
`;

function projectOf(id: string): unknown {
  return {
    $schema: `./${PROJECT_SCHEMA}`,
    contract: "context-project.v1",
    id,
    version: "0.1.0",
    objectives: [{ id: "answer-ticket", name: "Answer a ticket" }],
    consumers: [{ id: "support-agent", name: "Support agent" }],
    profiles: [
      {
        id: "support",
        name: "Support desk",
        budget: { bytes: 16_384 },
        layers: [
          { layer: "house-rules", rule: "required", priority: 10 },
          { layer: "customer-profile", rule: "required", priority: 20 },
          { layer: "order-status", rule: "optional", priority: 30, accept: ["CURRENT", "UNKNOWN"] },
        ],
      },
    ],
    layers: [
      { id: "house-rules", name: "House rules", bindings: [{ file: "layers/house-rules.md" }] },
      {
        id: "customer-profile",
        name: "Customer profile",
        bindings: [{ provider: "customer-data" }],
        metadata: ["plan"],
      },
      { id: "order-status", name: "Order status", bindings: [{ provider: "order-data" }] },
    ],
    providers: [
      {
        id: "customer-data",
        name: "Customer data",
        lookup: { input: "customerId", pattern: "^CUST-[0-9]{4}$" },
        maxItems: 2,
      },
      { id: "order-data", name: "Order data", lookup: { input: "orderId", pattern: "^ORD-[0-9]{5}$" }, maxItems: 1 },
    ],
    tests: [
      {
        ...testOf(
          "knows-the-customer",
          { customerId: "CUST-1042", orderId: "ORD-20001" },
          {
            "customer-data": {
              items: [
                {
                  id: "CUST-1042",
                  title: "Current account state",
                  content: "Invented customer on the Enterprise plan since 2024.",
                  metadata: { plan: "Enterprise" },
                  updatedAt: "2026-10-08",
                },
              ],
            },
            "order-data": {
              items: [
                { id: "ORD-20001", title: "Order ORD-20001", content: "Two desk lamps, shipped, due on Friday." },
              ],
            },
          },
        ),
        expect: [
          { outcome: "READY" },
          { order: ["house-rules", "customer-profile", "order-status"] },
          { contains: "Enterprise plan" },
        ],
      },
      {
        // Asked by values of its own: where tests answer differently for one value, a preview takes neither answer.
        ...testOf(
          "says-what-it-does-not-know",
          { customerId: "CUST-2001", orderId: "ORD-20002" },
          { "customer-data": { status: "TIMEOUT" }, "order-data": { status: "NOT_FOUND" } },
        ),
        expect: [
          { outcome: "BLOCKED" },
          { layer: "customer-profile", state: "UNAVAILABLE", reason: "PROVIDER_TIMEOUT" },
        ],
      },
    ],
  };
}

function testOf(id: string, inputs: object, providers: object): object {
  return {
    id,
    objective: "answer-ticket",
    consumer: "support-agent",
    profile: "support",
    synthetic: true,
    inputs,
    providers,
  };
}

function bindingOf(id: string): unknown {
  return {
    $schema: `./${BINDING_SCHEMA}`,
    contract: "context-binding.v1",
    // Digests of two deployments with one id could be compared: so two desks are two.
    id,
    providers: {
      "customer-data": {
        type: "http",
        url: "http://127.0.0.1:8787/context",
        secret: "env:CRM_TOKEN",
        timeoutMs: 1000,
        maxItems: 2,
      },
      "order-data": {
        type: "sqlite",
        database: "orders.db",
        table: "orders",
        columns: { id: "order_id", content: "summary", title: "title", updatedAt: "updated_at" },
        key: "order_id",
        timeoutMs: 500,
      },
    },
    keyset: `file:${id}.keyset.json`,
  };
}
