import { useState, type ReactNode } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Time } from "../../components/time.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import type { EventRow } from "../../contract/goal.ts";
import { usePages } from "../../http/use-pages.ts";
import { Link } from "../../routing/link.tsx";
import { sayActor } from "../say-actor.ts";
import { GoalThen } from "./goal-then.tsx";

/** What happened in a goal, newest first; any event shows the goal as it was then. */
export function Timeline({ goalId }: { readonly goalId: string }): ReactNode {
  const [point, setPoint] = useState<string>();
  const path = `/api/goals/${encodeURIComponent(goalId)}/events`;
  const { rows, hasMore, fault, more } = usePages<EventRow>(path, [`goal:${goalId}`]);
  if (point !== undefined) {
    return <GoalThen goalId={goalId} point={point} onMove={setPoint} onClose={() => setPoint(undefined)} />;
  }
  return (
    <section aria-label="Timeline">
      <MomentForm onChoose={setPoint} />
      {fault === undefined ? null : <ErrorState fault={fault} />}
      {rows === undefined ? fault === undefined && <Loading rows={8} /> : null}
      <VirtualList
        label="Events"
        rows={rows ?? []}
        total={(rows?.length ?? 0) + (hasMore ? 1 : 0)}
        keyOf={(event) => String(event.seq)}
        rowHeight={58}
        onEnd={more}
      >
        {(event) => (
          <article className="row">
            <span className="seq">{event.seq}</span>
            <div className="row-main">
              <p>
                {event.says}{" "}
                <span className="faint">
                  by {sayActor(event.by)}, <Time at={event.at} />
                </span>
              </p>
              <p className="clamp">
                <EventSubject goalId={goalId} event={event} />
              </p>
            </div>
            <button
              type="button"
              className="button-quiet"
              aria-label={`The goal as of event ${event.seq}`}
              onClick={() => setPoint(String(event.seq))}
            >
              As it was
            </button>
          </article>
        )}
      </VirtualList>
    </section>
  );
}

function MomentForm({ onChoose }: { readonly onChoose: (point: string) => void }): ReactNode {
  const [moment, setMoment] = useState("");
  return (
    <form
      className="moment"
      onSubmit={(event) => {
        event.preventDefault();
        const at = new Date(moment);
        if (!Number.isNaN(at.getTime())) onChoose(at.toISOString());
      }}
    >
      <label>
        The goal as it was at{" "}
        <input type="datetime-local" value={moment} onChange={(event) => setMoment(event.target.value)} />
      </label>
      <button type="submit" disabled={moment === ""}>
        Show
      </button>
    </form>
  );
}

/** What an event is about. */
function EventSubject({ goalId, event }: { readonly goalId: string; readonly event: EventRow }): ReactNode {
  const text = event.title ?? event.entity_id;
  if (event.entity !== "todo") return <span className="clamp">{text}</span>;
  return (
    <Link to={{ screen: "todo", goalId, todoId: event.entity_id }} className="clamp">
      {text}
    </Link>
  );
}
