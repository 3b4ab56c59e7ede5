import * as fc from "fast-check";

/** White space and comments as people leave them between tokens. */
const gap = fc.constantFrom(
  "",
  "",
  " ",
  "  ",
  "\n",
  "\n  ",
  " \t\n ",
  "\r\n\t",
  " // note, with } and ,\n",
  "/* a */",
  " /* b,\n c */ ",
);

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 6 }), tie("value"), { maxKeys: 3 }),
  ),
}));

/** Lists and objects on the way to an entry of ours: any of them may be there, empty or with content. */
export function settingsWith(path: readonly string[], isList: boolean): fc.Arbitrary<Json> {
  const [key, ...rest] = path;
  if (key === undefined) {
    return isList ? fc.array(value, { maxLength: 2 }) : fc.dictionary(fc.constantFrom("a", "b"), value, { maxKeys: 2 });
  }
  const others = fc.dictionary(fc.constantFrom("model", "$schema", "theme", "x: #y"), value, { maxKeys: 3 });
  return fc.tuple(others, fc.option(settingsWith(rest, isList)), fc.boolean()).map(([siblings, inner, isFirst]) => {
    if (inner === null) return siblings;
    return isFirst ? { [key]: inner, ...siblings } : { ...siblings, [key]: inner };
  });
}

/** The same value as text, in one of the many ways in which it can be written down. */
export function writtenDown(json: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  const styles = fc.oneof(
    fc.constantFrom(0, 1, 2, 4, "\t").map((indent) => (each: Json) => JSON.stringify(each, null, indent)),
    fc.constant((each: Json) => JSON.stringify(each, null, 2).replaceAll("\n", "\r\n")),
    fc.infiniteStream(fc.tuple(gap, fc.boolean())).map((stream) => (each: Json) => renderNoisily(each, stream)),
  );
  const ends = fc.tuple(fc.constantFrom("", "\uFEFF"), fc.constantFrom("", "\n", "\r\n", "\n// end\n"));
  return fc.tuple(json, styles, ends).map(([each, style, [bom, end]]) => `${bom}${style(each)}${end}`);
}

function renderNoisily(json: Json, noise: Iterator<[string, boolean]>): string {
  const next = (): [string, boolean] => noise.next().value as [string, boolean];
  const space = (): string => next()[0];
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const parts = Array.isArray(json)
    ? json.map((each) => `${space()}${renderNoisily(each as Json, noise)}${space()}`)
    : Object.entries(json).map(
        ([key, each]) => `${space()}${JSON.stringify(key)}${space()}:${space()}${renderNoisily(each, noise)}${space()}`,
      );
  const trailing = parts.length > 0 && next()[1] ? `,${space()}` : parts.length === 0 ? space() : "";
  const [open, close] = Array.isArray(json) ? "[]" : "{}";
  return `${open}${parts.join(",")}${trailing}${close}`;
}
