import { createContext, useContext } from "react";
import type { SessionAnswer } from "./contract/session.ts";

export const SessionContext = createContext<SessionAnswer | null>(null);

/** Whether what only owners do can be done on this page; where not, the frame says why. */
export function useMayDecide(): boolean {
  return useContext(SessionContext)?.may_decide === true;
}
