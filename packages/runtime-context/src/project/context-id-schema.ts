import * as z from "zod/mini";

/** Ids end up in file names, URLs, traces and search terms. */
const CONTEXT_ID = /^[a-z][a-z0-9-]{0,62}$/;

/** Members that every object has are no ids: `inputs["constructor"]` is never what the user sent. */
export function isOwnName(name: string): boolean {
  return !(name in Object.prototype);
}

export const contextIdSchema = z
  .string()
  .check(
    z.regex(CONTEXT_ID, "must be 1 to 63 of a-z 0-9 - beginning with a letter"),
    z.refine(isOwnName, "is a reserved word"),
  );
