import { refuseAnswer, type ProviderFault } from "../provider-fault.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member; null counts as left out, since many serialisers write it so. */
export function findField(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/**
 * The fault of a key that the contract doesn't know: these bytes are evidence, so nothing unknown is passed over.
 *
 * Keys that begin with `x-` are room for evolution and are dropped.
 */
export function findUnknownKey(
  object: JsonObject,
  known: readonly string[],
  pointer: string,
): ProviderFault | undefined {
  const isKnown = (key: string): boolean => known.includes(key) || key.startsWith("x-");
  const unknown = Object.keys(object).find((key) => !isKnown(key));
  if (unknown === undefined) return undefined;
  return refuseAnswer("UNKNOWN_FIELD", FIELD_NAME.test(unknown) ? `${pointer}/${unknown}` : pointer);
}

/** What reads like a field's name. A key of any other form may well be a record's id or a text: the pointer stops before it. */
const FIELD_NAME = /^[a-z][A-Za-z]{0,31}(?:_[a-z]{1,31}){0,3}$/;

/** The fault of a member that must be text, if it is there at all, of at most so many UTF-16 units. */
export function findTextFault(
  object: JsonObject,
  field: { readonly name: string; readonly maxLength: number; readonly isRequired?: boolean },
  pointer: string,
): ProviderFault | undefined {
  const value = findField(object, field.name);
  const at = `${pointer}/${field.name}`;
  if (value === undefined) return field.isRequired === true ? refuseAnswer("MISSING_FIELD", at) : undefined;
  if (typeof value !== "string") return refuseAnswer("FIELD_TYPE", at);
  return value.length > field.maxLength || (value === "" && field.isRequired === true)
    ? refuseAnswer("FIELD_LENGTH", at)
    : undefined;
}

/** The text of a member that was checked before. */
export function findText(object: JsonObject, name: string): string | null {
  const value = findField(object, name);
  return typeof value === "string" ? value : null;
}
