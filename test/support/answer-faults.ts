/** The part of JSON Schema that our OpenAPI document uses. */
export interface AnswerSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly required?: readonly string[];
  readonly items?: AnswerSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Where an answer has a member that its schema doesn't tell of, lacks one that is always there, or has another value. */
export function findAnswerFaults(value: unknown, schema: AnswerSchema, at = ""): readonly string[] {
  if (schema.const !== undefined) return value === schema.const ? [] : [`${at} is not ${JSON.stringify(schema.const)}`];
  if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : [`${at} is no word of its list`];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.includes(findType(value))) return [`${at} is ${findType(value)}`];
  if (Array.isArray(value)) return value.flatMap((each) => findAnswerFaults(each, schema.items ?? {}, `${at}[]`));
  if (typeof value !== "object" || value === null || schema.properties === undefined) return [];
  const { properties, required = [] } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`);
  const inner = Object.entries(value).flatMap(([name, member]) => {
    const known = properties[name];
    return known === undefined ? [`${at}.${name} is not told of`] : findAnswerFaults(member, known, `${at}.${name}`);
  });
  return [...missing, ...inner];
}

function findType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
