import type { EntryState } from "./entry-state.ts";
import type { EntryTarget } from "./install-target.ts";
import { readJsonEntry, withJsonEntry, withoutJsonEntry } from "./json-entry.ts";
import { readTomlEntry, withoutTomlEntry, withTomlEntry } from "./toml-entry.ts";

/** Looks for an entry of ours in the content of its file; undefined content is a file that isn't there. */
export function readEntry(content: string | undefined, { format, entry }: EntryTarget): EntryState {
  return format === "json" ? readJsonEntry(content, entry) : readTomlEntry(content, entry);
}

/** The content with the entry in it; what can't take one comes back as it was. */
export function withEntry(content: string | undefined, { format, entry }: EntryTarget): string {
  return format === "json" ? withJsonEntry(content, entry) : withTomlEntry(content, entry);
}

/** The content without it; undefined for a file that holds nothing else and that we made. */
export function withoutEntry(content: string, { format, entry }: EntryTarget): string | undefined {
  return format === "json" ? withoutJsonEntry(content, entry) : withoutTomlEntry(content, entry);
}
