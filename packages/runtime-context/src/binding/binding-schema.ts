import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { contextIdSchema } from "../project/context-id-schema.ts";
import { findCidrFault } from "./address-ranges.ts";
import { BINDING_CONTRACT } from "./deployment-binding.ts";

/** What a Binding may say of limits (seed 004) and what holds when it says nothing. */
export const BINDING_LIMITS = {
  timeoutMs: { least: 50, most: 10_000, default: 2000 },
  /** The default is a quarter of the most: a 1 MiB answer costs 12 ms of CPU. */
  maxBytes: { least: 1, most: 1_048_576, default: 262_144 },
  maxItems: { least: 1, most: 100, default: 100 },
  itemBytes: { least: 1, most: 65_536, default: 65_536 },
} as const;

interface Range {
  readonly least: number;
  readonly most: number;
  readonly default: number;
}

function limited({ least, most, default: fallback }: Range): z.ZodMiniDefault<z.ZodMiniNumberFormat> {
  return withDefault(z.int().check(z.gte(least), z.lte(most)), fallback);
}

/** The reference itself is looked at where the binding's folder is known. */
const secretSchema = z
  .string()
  .check(z.minLength(1), z.maxLength(1100), z.describe("env:NAME or file:PATH, never the secret."));

const cidrSchema = z.string().check(
  z.superRefine((cidr: string, context) => {
    const fault = findCidrFault(cidr);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  }),
);

const wordSchema = z
  .string()
  .check(z.regex(/^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/, "must be 1 to 64 of letters, digits and . + _ -"));

const shared = {
  version: z.optional(wordSchema),
  timeoutMs: limited(BINDING_LIMITS.timeoutMs),
  maxItems: limited(BINDING_LIMITS.maxItems),
  itemBytes: limited(BINDING_LIMITS.itemBytes),
  maxAgeSeconds: z.optional(z.int().check(z.gte(1), z.lte(3_153_600_000))),
  retention: withDefault(
    z.string().check(
      z.superRefine((retention: string, context) => {
        if (retention === "none") return;
        const message = 'must be "none": keeping content comes with a later release';
        context.addIssue({ code: "custom", message, params: { rule: "NOT_SUPPORTED_YET" } });
      }),
    ),
    "none",
  ),
};

const httpSchema = z.strictObject({
  type: z.literal("http"),
  url: z.string(),
  secret: z.optional(secretSchema),
  maxBytes: limited(BINDING_LIMITS.maxBytes),
  allowAddresses: withDefault(z.array(cidrSchema).check(z.maxLength(64)), []),
  ...shared,
});

/** A table's or column's name. It is quoted and looked up in the schema before it is used. */
const identifierSchema = z.string().check(
  z.regex(/^[^\p{C}]{1,128}$/u, "must be 1 to 128 visible characters"),
  z.refine((name: string) => !/^sqlite_/i.test(name), "names a table of SQLite itself"),
);

const databaseSchema = z.string().check(
  z.maxLength(1024),
  z.regex(/^[^\p{C}]+$/u, "must be a path"),
  z.refine(
    (path: string) => !/^(?:file:|sqlite:|[a-z]{2,}:\/\/|:memory:)/i.test(path),
    "must be the path of a file, not a URI",
  ),
);

const sqliteSchema = z.strictObject({
  type: z.literal("sqlite"),
  database: databaseSchema,
  table: identifierSchema,
  columns: z.strictObject({
    id: identifierSchema,
    content: identifierSchema,
    title: z.optional(identifierSchema),
    updatedAt: z.optional(identifierSchema),
  }),
  key: identifierSchema,
  ...shared,
});

/** One provider's entry. */
export const providerEntrySchema = z.discriminatedUnion("type", [httpSchema, sqliteSchema]);

/** A binding as it is written. The one source of its validation, its type and its JSON Schema. */
export const bindingSchema = z.strictObject({
  $schema: z.optional(z.string().check(z.maxLength(2048))),
  contract: z.literal(BINDING_CONTRACT),
  id: contextIdSchema,
  revision: z.optional(wordSchema),
  providers: z.record(contextIdSchema, providerEntrySchema),
  keyset: secretSchema,
  audit: withDefault(z.enum(["required", "best_effort"]), "best_effort"),
});

export type BindingDocument = z.output<typeof bindingSchema>;

/** JSON Schema (draft 2020-12) of a Deployment Binding for editors. */
export function bindingJsonSchema(): Readonly<Record<string, unknown>> {
  return { title: "LoopX Deployment Binding", ...z.toJSONSchema(bindingSchema, { io: "input" }) };
}
