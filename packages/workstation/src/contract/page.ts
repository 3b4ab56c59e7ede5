/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** What `?cursor=` takes for the next page; null on the last. */
  readonly next_cursor: string | null;
}
