import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.tsx";

interface GoalScreenProps {
  readonly goalId: string;
  /** The todo whose details are open. */
  readonly todoId?: string;
  readonly project?: string;
}

/** One goal: its todos, gates, turns and events. */
export function GoalScreen({ goalId }: GoalScreenProps): ReactNode {
  return (
    <>
      <h1>{goalId}</h1>
      <EmptyState title="Nothing here yet" />
    </>
  );
}
