import { LoopxError } from "@loopx/contracts";
import { listRequestDigests, type parseTraceQuery } from "@loopx/runtime-context";
import { parseInputs } from "./parse-inputs.ts";

type Query = ReturnType<typeof parseTraceQuery>;
type KeyRing = Parameters<typeof listRequestDigests>[0];

/**
 * The query, narrowed to turns that asked its provider for the value that `--input` gives. It is looked for by its digests: no
 * trace has it. Refuses with `missing_flag`, `invalid_value`.
 */
export function searchForValue(query: Query, inputs: readonly string[], ring: KeyRing): Query {
  if (inputs.length === 0) return query;
  const { provider } = query;
  const [[key, value] = ["", ""], ...others] = Object.entries(parseInputs(inputs));
  if (provider !== undefined && others.length === 0) {
    return { ...query, requestDigests: listRequestDigests(ring, { provider, key, value }) };
  }
  throw new LoopxError(provider === undefined ? "missing_flag" : "invalid_value", {
    message: "a search for a value takes one --input and the --provider that was asked for it",
    hint: "for example --provider=customer-data --input=customerId=CUST-1042",
    details: { flags: ["--provider", "--input"] },
  });
}
