import { LoopxError } from "@loopx/contracts";

/** The inputs that `--input=KEY=VALUE` gives. Refuses with `invalid_value`, and repeats no value. */
export function parseInputs(pairs: readonly string[]): Readonly<Record<string, string>> {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)] as const;
    throw new LoopxError("invalid_value", {
      message: "--input takes KEY=VALUE",
      hint: "for example --input=customerId=CUST-1042",
      details: { flag: "--input" },
    });
  });
  if (new Set(entries.map(([key]) => key)).size === entries.length) return Object.fromEntries(entries);
  throw new LoopxError("invalid_value", { message: "--input gives one key twice", details: { flag: "--input" } });
}
