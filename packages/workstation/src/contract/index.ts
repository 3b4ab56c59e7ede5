// The front door of @loopx/workstation/contract: the types of what page and server say to each other, and no code.
export type * from "./context.ts";
export type * from "./context-runs.ts";
export type * from "./context-traces.ts";
export type { Fault, FaultAnswer } from "./fault.ts";
export type { ChangeNotice, HelloNotice, Topic } from "./live.ts";
export type * from "./recall.ts";
export type { SessionAnswer, SessionRequest } from "./session.ts";
export type {
  AgentRow,
  BoardColumn,
  DayOfTurns,
  EventPage,
  EventRow,
  EvidenceRow,
  GateDecisionReceipt,
  GateDecisionRequest,
  GateRow,
  GoalAnswer,
  GoalAt,
  GoalBudgetRequest,
  GoalChangeReceipt,
  GoalStatusRequest,
  TodoAnswer,
  TodoAt,
  TodoPage,
  TodoRow,
  TurnRow,
} from "./goal.ts";
export type { AskRow, DoneRow, FailedRow, GoalLane, GoalRow, Overview, SafeAction } from "./overview.ts";
export type { Page } from "./page.ts";
