import * as z from "zod/mini";
import { LAYER_STATES, TURN_OUTCOMES } from "../kernel/turn-result.ts";
import { PROVIDER_STATUSES } from "../providers/provider-outcome.ts";
import { contextIdSchema } from "./context-id-schema.ts";
import type { WrittenExpectation } from "./expectation.ts";
import { findPatternFault } from "./lookup-pattern.ts";

/** What each kind may and must say besides itself. */
const KINDS: Readonly<
  Record<
    string,
    { readonly must?: readonly string[]; readonly oneOf?: readonly string[]; readonly may?: readonly string[] }
  >
> = {
  outcome: {},
  layer: { oneOf: ["state", "reason", "notSelectedBecause"], may: ["state", "reason", "notSelectedBecause"] },
  provider: { must: ["status"], may: ["status", "reason"] },
  selected: {},
  excluded: {},
  order: {},
  contains: {},
  matches: {},
  bytesAtMost: {},
  unknown: {},
  digest: {},
  not: {},
  all: {},
  any: {},
};

const REASON = z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,63}$/, "must be a word such as PROVIDER_TIMEOUT"));

const layerListSchema = z.array(contextIdSchema).check(z.minLength(1), z.maxLength(100));

const patternSchema = z.string().check(
  z.superRefine((pattern: string, context) => {
    const fault = findPatternFault(pattern);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault, params: { rule: "INVALID_PATTERN" } });
  }),
);

const textSchema = z.string().check(z.minLength(1), z.maxLength(65_536));

/** One schema for all kinds: a union would answer a mistyped key with "none of the accepted forms". */
export const expectationSchema: z.ZodMiniType<WrittenExpectation, WrittenExpectation> = z
  .strictObject({
    outcome: z.optional(z.enum(TURN_OUTCOMES)),
    layer: z.optional(contextIdSchema),
    state: z.optional(z.enum(LAYER_STATES)),
    reason: z.optional(REASON),
    notSelectedBecause: z.optional(REASON),
    provider: z.optional(contextIdSchema),
    status: z.optional(z.enum([...PROVIDER_STATUSES, "NOT_REQUESTED"])),
    selected: z.optional(layerListSchema),
    excluded: z.optional(layerListSchema),
    order: z.optional(layerListSchema),
    contains: z.optional(textSchema),
    matches: z.optional(patternSchema),
    bytesAtMost: z.optional(z.int().check(z.gte(0), z.lte(16_777_216))),
    unknown: z.optional(contextIdSchema),
    digest: z.optional(
      z
        .string()
        .check(
          z.regex(/^(?:sha256:[0-9a-f]{64})?$/, 'must be "sha256:" and 64 hexadecimal digits, or "" for a first one'),
        ),
    ),
    not: z.optional(z.lazy(() => expectationSchema)),
    all: z.optional(z.lazy(() => groupSchema)),
    any: z.optional(z.lazy(() => groupSchema)),
  })
  .check(
    z.superRefine((written: WrittenExpectation, context) => {
      const fault = findKindFault(Object.keys(written)) ?? findNegatedFault(written);
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    }),
  );

const groupSchema = z.array(expectationSchema).check(z.minLength(1), z.maxLength(100));

function findKindFault(keys: readonly string[]): string | undefined {
  const kinds = keys.filter((key) => Object.hasOwn(KINDS, key));
  const [kind = ""] = kinds;
  const { must = [], oneOf = [], may = [] } = KINDS[kind] ?? {};
  if (kinds.length !== 1) return `must have exactly one of ${Object.keys(KINDS).join(", ")}`;
  const lacking = must.find((key) => !keys.includes(key));
  if (lacking !== undefined) return `a ${kind} needs ${lacking} too`;
  if (oneOf.length > 0 && !oneOf.some((key) => keys.includes(key))) return `a ${kind} needs one of ${oneOf.join(", ")}`;
  const stray = keys.find((key) => key !== kind && !may.includes(key));
  return stray === undefined ? undefined : `${stray} says nothing beside ${kind}`;
}

/** No text has the digest that is still to be accepted, so its negation would hold of every text, for ever. */
function findNegatedFault({ not }: WrittenExpectation): string | undefined {
  return not !== undefined && hasEmptyDigest(not)
    ? 'a digest that is still "" can\'t be negated: it would hold whatever the text is'
    : undefined;
}

function hasEmptyDigest({ digest, not, all = [], any = [] }: WrittenExpectation): boolean {
  return digest === "" || [...(not === undefined ? [] : [not]), ...all, ...any].some(hasEmptyDigest);
}
