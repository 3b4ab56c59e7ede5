import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { neutraliseForTerminal } from "@loopx/contracts";
import { PROVIDER_STATUSES } from "../providers/provider-outcome.ts";
import { PROJECT_CONTRACT } from "./context-project.ts";
import { contextIdSchema, isOwnName } from "./context-id-schema.ts";
import { expectationSchema } from "./expectation-schema.ts";
import { findPathFault } from "./files/file-rules.ts";
import { findPatternFault } from "./lookup-pattern.ts";

/** Text of one line that people read. */
const nameSchema = z.string().check(
  z.minLength(1),
  z.maxLength(200),
  z.refine(
    (name: string) => !/[\n\t]/.test(name) && neutraliseForTerminal(name) === name,
    "holds control or invisible characters",
  ),
);

const versionSchema = z
  .string()
  .check(z.regex(/^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/, "must be 1 to 64 of letters, digits and . + _ -"));

/** Name of a request's input. */
const inputNameSchema = z
  .string()
  .check(
    z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, "must be 1 to 64 of letters, digits and _ . - beginning with a letter"),
    z.refine(isOwnName, "is a reserved word"),
  );

const currentnessSchema = z.enum(["CURRENT", "STALE", "UNKNOWN"]);

const scopeSchema = z.strictObject({ id: contextIdSchema, name: z.optional(nameSchema) });

const layerRuleSchema = z.strictObject({
  layer: contextIdSchema,
  rule: z.enum(["required", "optional", "excluded"]),
  priority: withDefault(z.int().check(z.gte(0), z.lte(1_000_000), z.describe("Lower is selected first.")), 100),
  accept: withDefault(z.array(currentnessSchema).check(z.minLength(1), z.maxLength(3)), ["CURRENT"]),
});

const profileSchema = z.strictObject({
  id: contextIdSchema,
  name: z.optional(nameSchema),
  layers: z.array(layerRuleSchema).check(z.minLength(1), z.maxLength(10_000)),
  budget: z.strictObject({
    bytes: z.int().check(z.gte(1), z.lte(16_777_216), z.describe("UTF-8 bytes of rendered material.")),
    tokens: z.optional(
      z.strictObject({ encoding: z.literal("o200k"), max: z.int().check(z.gte(1), z.lte(16_777_216)) }),
    ),
  }),
});

const pathSchema = z.string().check(
  z.superRefine((path: string, context) => {
    const fault = findPathFault(path);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault.message, params: { rule: fault.rule } });
  }),
);

/** One schema for the three kinds: a union would answer a mistyped key with "none of the accepted forms". */
const layerBindingSchema = z
  .strictObject({
    text: z.optional(z.string().check(z.minLength(1), z.maxLength(65_536))),
    file: z.optional(pathSchema),
    provider: z.optional(contextIdSchema),
  })
  .check(z.refine((binding) => Object.keys(binding).length === 1, "must have exactly one of text, file, provider"));

const layerSchema = z.strictObject({
  id: contextIdSchema,
  name: nameSchema,
  bindings: z.array(layerBindingSchema).check(z.minLength(1), z.maxLength(100)),
  objectives: z.optional(z.array(contextIdSchema).check(z.minLength(1), z.maxLength(1000))),
  consumers: z.optional(z.array(contextIdSchema).check(z.minLength(1), z.maxLength(1000))),
  requiresInput: withDefault(z.array(inputNameSchema).check(z.maxLength(32)), []),
  emptyIs: withDefault(z.enum(["empty", "blocked"]), "empty"),
  metadata: withDefault(z.array(inputNameSchema).check(z.maxLength(32)), []),
});

const patternSchema = z.string().check(
  z.superRefine((pattern: string, context) => {
    const fault = findPatternFault(pattern);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault, params: { rule: "INVALID_PATTERN" } });
  }),
);

const providerSchema = z.strictObject({
  id: contextIdSchema,
  name: nameSchema,
  lookup: z.strictObject({ input: inputNameSchema, pattern: patternSchema }),
  maxItems: z.int().check(z.gte(1), z.lte(100)),
});

const fixtureItemSchema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  title: z.optional(z.string().check(z.maxLength(1024))),
  content: z.string().check(z.maxLength(65_536)),
  metadata: z.optional(
    z.record(inputNameSchema, z.union([z.string().check(z.maxLength(1024)), z.number(), z.boolean(), z.null()])),
  ),
  updatedAt: z.optional(z.string().check(z.maxLength(64))),
});

/** `OK` is said by giving items. */
const FIXTURE_STATUSES = PROVIDER_STATUSES.filter((status) => status !== "OK");

const fixtureSchema = z
  .strictObject({
    items: z.optional(z.array(fixtureItemSchema).check(z.maxLength(100))),
    status: z.optional(z.enum(FIXTURE_STATUSES)),
  })
  .check(z.refine((fixture) => Object.keys(fixture).length === 1, "must have exactly one of items, status"));

const testSchema = z.strictObject({
  id: contextIdSchema,
  name: z.optional(nameSchema),
  objective: contextIdSchema,
  consumer: contextIdSchema,
  profile: z.optional(contextIdSchema),
  inputs: withDefault(z.record(inputNameSchema, z.string().check(z.maxLength(4096))), {}),
  providers: withDefault(z.record(contextIdSchema, fixtureSchema), {}),
  clock: z.optional(
    z.string().check(
      z.regex(
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/,
        "must be an RFC 3339 date-time",
      ),
      z.refine((clock: string) => Number.isFinite(Date.parse(clock)), "names no moment"),
    ),
  ),
  synthetic: z.optional(z.boolean()),
  expect: withDefault(z.array(expectationSchema).check(z.maxLength(100)), []),
});

/** What each list of a project holds. */
export const entrySchemas = {
  objectives: scopeSchema,
  consumers: scopeSchema,
  profiles: profileSchema,
  layers: layerSchema,
  providers: providerSchema,
  tests: testSchema,
} as const;

const listOf = <Entry extends z.ZodMiniType>(entry: Entry): z.ZodMiniArray<Entry> =>
  z.array(entry).check(z.maxLength(10_000));

/** A project as it is written. The one source of its validation, its type and its JSON Schema. */
export const projectSchema = z.strictObject({
  $schema: z.optional(z.string().check(z.maxLength(2048), z.describe("Where an editor finds the schema; ignored."))),
  contract: z.literal(PROJECT_CONTRACT),
  id: contextIdSchema,
  version: versionSchema,
  objectives: listOf(scopeSchema).check(z.minLength(1)),
  consumers: listOf(scopeSchema).check(z.minLength(1)),
  profiles: listOf(profileSchema).check(z.minLength(1)),
  layers: listOf(layerSchema).check(z.minLength(1)),
  providers: withDefault(listOf(providerSchema), []),
  tests: withDefault(listOf(testSchema), []),
});

export type ProjectDocument = z.output<typeof projectSchema>;

/** JSON Schema (draft 2020-12) of `context.project.*` for editors. */
export function projectJsonSchema(): Readonly<Record<string, unknown>> {
  return { title: "LoopX Context Project", ...z.toJSONSchema(projectSchema, { io: "input" }) };
}
