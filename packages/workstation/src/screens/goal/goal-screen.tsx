import { useState, type ReactNode } from "react";
import { ResourceView } from "../../components/resource-view.tsx";
import type { GoalAnswer } from "../../contract/goal.ts";
import { useResource } from "../../http/use-resource.ts";
import { Link } from "../../routing/link.tsx";
import { AgentList } from "./agent-list.tsx";
import { Board } from "./board.tsx";
import { GateDecisions } from "./gate-decisions.tsx";
import { GateList } from "./gate-list.tsx";
import { GoalHead } from "./goal-head.tsx";
import { Timeline } from "./timeline.tsx";
import { TodoDetail } from "./todo-detail.tsx";
import { TurnUse } from "./turn-use.tsx";

interface GoalScreenProps {
  readonly goalId: string;
  /** The todo whose details are open. */
  readonly todoId?: string;
  readonly project?: string;
}

/** One goal: its todos, gates, turns and events. */
export function GoalScreen({ goalId, todoId }: GoalScreenProps): ReactNode {
  const goal = useResource<GoalAnswer>(`/api/goals/${encodeURIComponent(goalId)}`, [`goal:${goalId}`]);
  return (
    <>
      <nav aria-label="Where you are" className="faint">
        <Link to={{ screen: "overview" }}>Overview</Link> /{" "}
        {todoId === undefined ? goalId : <Link to={{ screen: "goal", goalId }}>{goalId}</Link>}
        {todoId === undefined ? null : ` / ${todoId}`}
      </nav>
      <GateDecisions key={todoId ?? ""} goalId={goalId}>
        {todoId === undefined ? (
          <ResourceView resource={goal} rows={14}>
            {(answer) => <Shown answer={answer} />}
          </ResourceView>
        ) : (
          <TodoDetail goalId={goalId} todoId={todoId} />
        )}
      </GateDecisions>
    </>
  );
}

const VIEWS = [
  ["todos", "Todos"],
  ["timeline", "Timeline"],
] as const;

function Shown({ answer }: { readonly answer: GoalAnswer }): ReactNode {
  const [view, setView] = useState<(typeof VIEWS)[number][0]>("todos");
  const goalId = answer.goal.goal_id;
  return (
    <>
      <GoalHead answer={answer} />
      <div className="goal">
        <div className="goal-main">
          <GateList answer={answer} />
          <div className="goal-views">
            {VIEWS.map(([name, title]) => (
              <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
                {title}
              </button>
            ))}
          </div>
          {view === "todos" ? <Board goalId={goalId} counts={answer.board} /> : <Timeline goalId={goalId} />}
        </div>
        <aside className="goal-aside" aria-label="Turns and agents">
          <TurnUse answer={answer} />
          <AgentList goalId={goalId} agents={answer.agents} />
        </aside>
      </div>
    </>
  );
}
