export type * from "./context.ts";
export type * from "./recall.ts";
