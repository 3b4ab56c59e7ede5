import type { ReactNode } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { TurnRow } from "../../contract/goal.ts";
import { Link } from "../../routing/link.tsx";

const TONES: Readonly<Record<TurnRow["state"], Tone>> = {
  open: "info",
  lapsed: "warn",
  settled: "good",
  released: "neutral",
};

/** Turns, newest first. */
export function TurnTable({
  goalId,
  turns,
}: {
  readonly goalId: string;
  readonly turns: readonly TurnRow[];
}): ReactNode {
  return (
    <Table
      label="Turns"
      rows={turns}
      keyOf={(turn) => turn.turn_id}
      columns={[
        { title: "Opened", cell: (turn) => <Time at={turn.opened_at} /> },
        { title: "Agent", cell: (turn) => turn.agent_id },
        { title: "State", cell: (turn) => <Badge tone={TONES[turn.state]}>{turn.state}</Badge> },
        {
          title: "Todo",
          cell: ({ todo_id: todoId }) =>
            todoId.startsWith("todo_") ? <Link to={{ screen: "todo", goalId, todoId }}>{todoId}</Link> : "planning",
        },
      ]}
    />
  );
}
