import { useState, type ReactNode } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Time } from "../../components/time.tsx";
import type { GoalAnswer } from "../../contract/goal.ts";
import { useMayDecide } from "../../session-context.ts";
import { BudgetDialog } from "./budget-dialog.tsx";
import { StatusDialog } from "./status-dialog.tsx";

const TONES: Readonly<Record<GoalAnswer["goal"]["status"], Tone>> = {
  active: "good",
  paused: "warn",
  completed: "neutral",
  stopped: "bad",
};

/** What the goal is for, how it stands, and what an owner does with it as a whole. */
export function GoalHead({ answer }: { readonly answer: GoalAnswer }): ReactNode {
  const { goal } = answer;
  const mayDecide = useMayDecide();
  const [open, setOpen] = useState<{ readonly dialog: "status" | "budget"; readonly seen: GoalAnswer }>();
  const close = (): void => setOpen(undefined);
  const isActive = goal.status === "active";
  return (
    <header className="goal-head">
      <div>
        <h1 className="objective">{goal.objective}</h1>
        <p className="faint">
          <Badge tone={TONES[goal.status]}>{goal.status}</Badge> {goal.goal_id} · {answer.project_label} · revision{" "}
          {goal.revision} · since <Time at={goal.created_at} />
        </p>
        {goal.reason === null ? null : <p>Reason: {goal.reason}</p>}
      </div>
      <div className="actions">
        <button
          type="button"
          disabled={!isActive && !mayDecide}
          onClick={() => setOpen({ dialog: "status", seen: answer })}
        >
          {isActive ? "Pause…" : "Resume…"}
        </button>
        <button type="button" onClick={() => setOpen({ dialog: "budget", seen: answer })}>
          Budget…
        </button>
      </div>
      {open?.dialog === "status" ? <StatusDialog seen={open.seen} onClose={close} /> : null}
      {open?.dialog === "budget" ? <BudgetDialog seen={open.seen} onClose={close} /> : null}
    </header>
  );
}
