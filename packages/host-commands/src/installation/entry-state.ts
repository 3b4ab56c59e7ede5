/**
 * What stands where an entry of ours belongs. `foreign`: the user has another entry of that name · `unusable`: the file
 * can't be read as what it is, so it is left alone.
 */
export type EntryState =
  | { readonly kind: "absent" | "current" | "stale" | "foreign" }
  | { readonly kind: "unusable"; readonly reason: UnusableReason };

export type UnusableReason = "invalid_json" | "invalid_toml" | "unexpected_shape";
