// The front door of @loopx/workstation/contract: the types of what page and server say to each other, and no code.
export type * from "./context.ts";
export type { Fault, FaultAnswer } from "./fault.ts";
export type { ChangeNotice, HelloNotice, Topic } from "./live.ts";
export type * from "./recall.ts";
export type { SessionAnswer, SessionRequest } from "./session.ts";
