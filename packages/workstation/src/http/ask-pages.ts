import type { Page } from "../contract/page.ts";
import { getDocument } from "./request.ts";

/** How far of a list is asked for, and from where. */
export interface PagesAsked {
  /** Null for the beginning. */
  readonly cursor: string | null;
  readonly pageCount: number;
}

/** Some pages of the list at a path that takes `cursor`, as one. Throws as `getDocument` does. */
export async function askPages<Row>(path: string, asked: PagesAsked, signal?: AbortSignal): Promise<Page<Row>> {
  const rows: Row[] = [];
  let { cursor } = asked;
  for (let page = 0; page < asked.pageCount && (page === 0 || cursor !== null); page += 1) {
    const joint = path.includes("?") ? "&" : "?";
    const place: string = cursor === null ? "" : `${joint}cursor=${encodeURIComponent(cursor)}`;
    const next: Page<Row> = await getDocument<Page<Row>>(`${path}${place}`, signal);
    rows.push(...next.rows);
    cursor = next.next_cursor;
  }
  return { rows, next_cursor: cursor };
}
