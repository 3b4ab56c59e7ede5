import type { HostRecord } from "./session-host.ts";

/** A field of a record that is an object itself; an empty one when it isn't. */
export function objectField(record: HostRecord, name: string): HostRecord {
  return toObject(record[name]);
}

export function textField(record: HostRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === "string" ? value : undefined;
}

/** The objects in a list; anything else in it is left out. */
export function objectList(value: unknown): readonly HostRecord[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

function toObject(value: unknown): HostRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as HostRecord) : {};
}
