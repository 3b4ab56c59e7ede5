/** A name with its value, in OTLP's JSON. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

/** What has no value is left out. */
export function toAttributes(values: Readonly<Record<string, string | number | null>>): readonly OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === null) return [];
    return [{ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } }];
  });
}
