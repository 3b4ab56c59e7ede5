import type { SqliteProviderBinding } from "../../binding/deployment-binding.ts";

// What parent and child say to each other: JSON lines. Types only, so that the child stays one file when it is bundled.

/** The library the child loads; it resolves no package by itself. */
export type ChildDriver =
  | { readonly name: "node:sqlite" }
  | { readonly name: "better-sqlite3"; readonly entry: string; readonly addon: string };

/** The first line, before any request. */
export interface ChildSetup {
  readonly driver: ChildDriver;
  readonly binding: Pick<SqliteProviderBinding, "database" | "table" | "columns" | "key" | "itemBytes">;
  /** UTF-8 bytes of all items of one answer. */
  readonly answerBytes: number;
}

/** `lookup` reads, `probe` checks everything a lookup needs, `settle` clears up after a child that was killed. */
export type ChildRequest =
  | { readonly op: "lookup"; readonly value: string; readonly limit: number }
  | { readonly op: "probe" }
  | { readonly op: "settle" };

export interface ChildItem {
  readonly id: string;
  readonly content: string;
  readonly title: string | null;
  readonly updatedAt: string | null;
}

/** One line for each request, in order; the first line of all says that the child is ready. */
export type ChildReply =
  | { readonly kind: "ready" }
  | { readonly kind: "items"; readonly items: readonly ChildItem[]; readonly revision: string }
  | { readonly kind: "done" }
  | {
      readonly kind: "fault";
      readonly status: "UNAVAILABLE" | "LIMIT_EXCEEDED" | "INVALID_RESPONSE" | "INCOMPATIBLE" | "NOT_BOUND";
      readonly reason: string;
      readonly pointer?: string;
    };
