/** Why an answer was not taken and where in it: `UNKNOWN_FIELD at /items/0/unit`; empty where the status says it all. */
export function sayProviderReason(reason: string | null, pointer: string | null | undefined): string {
  const place = pointer === null || pointer === undefined || pointer === "" ? "" : ` at ${pointer}`;
  return `${reason ?? ""}${place}`.trim();
}
