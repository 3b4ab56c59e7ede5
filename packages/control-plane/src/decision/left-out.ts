interface Classified {
  readonly todo_id: string;
  readonly class: string;
}

/** By the last one loaded of each class: how many more there are. */
export function countLeftOut(
  sizes: readonly { readonly class: string; readonly count: number }[],
  rows: readonly Classified[],
): ReadonlyMap<string, number> {
  const leftOut = new Map<string, number>();
  for (const size of sizes) {
    const loaded = rows.filter((row) => row.class === size.class);
    const last = loaded.at(-1);
    if (last !== undefined && size.count > loaded.length) leftOut.set(last.todo_id, size.count - loaded.length);
  }
  return leftOut;
}
