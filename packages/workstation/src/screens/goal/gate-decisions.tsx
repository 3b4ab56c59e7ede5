import { createContext, use, useState, type ReactNode } from "react";
import type { GateDecisionRequest, GateRow } from "../../contract/goal.ts";
import { GateDialog } from "./gate-dialog.tsx";

/** What somebody began to decide, as it was shown then. */
interface BegunDecision {
  readonly gate: GateRow;
  readonly verdict: GateDecisionRequest["decision"];
  /** The event up to which the person saw the gate. */
  readonly seq: number;
}

const DecideContext = createContext<(begun: BegunDecision) => void>(() => undefined);

/** Opens the dialog that decides a gate. */
export function useDecideGate(): (begun: BegunDecision) => void {
  return use(DecideContext);
}

interface GateDecisionsProps {
  readonly goalId: string;
  readonly children: ReactNode;
}

/**
 * Holds the dialog that decides a gate above whatever shows the gate: a gate that is decided, here or elsewhere, leaves its
 * list, and must take neither the receipt along nor what somebody was writing.
 */
export function GateDecisions({ goalId, children }: GateDecisionsProps): ReactNode {
  const [begun, setBegun] = useState<BegunDecision>();
  return (
    <DecideContext value={setBegun}>
      {children}
      {begun === undefined ? null : <GateDialog {...begun} goalId={goalId} onClose={() => setBegun(undefined)} />}
    </DecideContext>
  );
}
