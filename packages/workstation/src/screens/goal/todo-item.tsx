import type { ReactNode } from "react";
import { Time } from "../../components/time.tsx";
import type { TodoRow } from "../../contract/goal.ts";
import { Link } from "../../routing/link.tsx";
import { sayCount } from "../say-count.ts";
import { Lease } from "./lease.tsx";

interface TodoItemProps {
  readonly goalId: string;
  readonly todo: TodoRow;
}

/** A todo on the board: how urgent, what, who holds it for how long, what it waits for, what there is to show. */
export function TodoItem({ goalId, todo }: TodoItemProps): ReactNode {
  return (
    <article className="row">
      <span className={`priority priority-${todo.priority.toLowerCase()}`}>{todo.priority}</span>
      <div className="row-main">
        <p className="clamp">
          <Link to={{ screen: "todo", goalId, todoId: todo.todo_id }} className="row-title">
            {todo.text}
          </Link>
        </p>
        <p className="todo-facts faint">
          <TodoFacts goalId={goalId} todo={todo} />
        </p>
      </div>
    </article>
  );
}

/** What is to be said of a todo besides its text, most important first. */
export function TodoFacts({ goalId, todo }: TodoItemProps): ReactNode {
  const { claimed_by: holder, claim_expires_at: until, blocked_by: blockedBy } = todo;
  return (
    <>
      {holder === null || until === null ? null : (
        <span>
          <strong>{holder}</strong> <Lease until={until} />
        </span>
      )}
      {blockedBy.length === 0 ? null : (
        <span>
          waits for{" "}
          {blockedBy.slice(0, 3).map((id, index) => (
            <span key={id}>
              {index === 0 ? "" : ", "}
              <Link to={{ screen: "todo", goalId, todoId: id }}>{id}</Link>
            </span>
          ))}
          {blockedBy.length > 3 ? ` and ${blockedBy.length - 3} more` : ""}
        </span>
      )}
      {todo.reason === null ? null : <span>{todo.reason}</span>}
      {todo.resume === null ? null : <span>resumes {todo.resume.replace(/^(after|todo_done):/, "after ")}</span>}
      {todo.due_at === null ? null : (
        <span>
          due <Time at={todo.due_at} />
        </span>
      )}
      {todo.completed_at === null ? null : (
        <span>
          done <Time at={todo.completed_at} />
        </span>
      )}
      {todo.evidence_count === 0 ? null : <span>{sayCount(todo.evidence_count, "record")} of evidence</span>}
      {todo.task_class === "advancement_task" ? null : <span>{todo.task_class.replaceAll("_", " ")}</span>}
      {todo.action_kind === null ? null : <span>{todo.action_kind.replaceAll("_", " ")}</span>}
      <span className="mono">{todo.todo_id}</span>
    </>
  );
}
