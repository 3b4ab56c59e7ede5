import type { Instant } from "@loopx/contracts";
import type { CandidateTodo, DecidedNext, Decision, DecisionFacts, GateFact, WaitFor } from "../../src/index.ts";

const resumeTime = (todo: CandidateTodo): Instant | null =>
  todo.resume?.startsWith("after:") === true ? (todo.resume.replace("after:", "") as Instant) : null;

/**
 * The one decision again, naive and straight from the design's words on turns, gates and selection.
 *
 * It shares no code with the product: what it agrees on was written twice.
 */
export function decideNaively(facts: DecisionFacts, now: Instant): DecidedNext {
  const decided = decideWithoutContext(facts, now);
  const { decision } = decided;
  if (facts.context === null || decision.kind !== "run") return decided;
  const { todoId, state } = facts.context;
  const inSeconds = (seconds: number): Instant => new Date(Date.parse(now) + seconds * 1000).toISOString() as Instant;
  const answer = (held: Decision): DecidedNext => ({ ...decided, decision: held });
  if (state === "absent" || (todoId !== null && todoId !== decision.todoId)) {
    return answer({ kind: "wait", reason: "context_outdated", until: inSeconds(1) });
  }
  if (state === "blocked") return answer({ kind: "wait", reason: "context_blocked", until: inSeconds(60) });
  return state === "usable" ? decided : answer({ kind: "ask_user", reason: "context_blocked", todoIds: [] });
}

function decideWithoutContext(facts: DecisionFacts, now: Instant): DecidedNext {
  const clock = Date.parse(now);
  const me = facts.agentId;
  const isPast = (at: Instant | null): boolean => at !== null && Date.parse(at) <= clock;

  // Pause and end: never a turn.
  if (facts.goal.status === "paused") return { decision: { kind: "paused" }, endsOpenTurn: null };
  if (facts.goal.status !== "active") {
    return { decision: { kind: "done", reason: `goal_${facts.goal.status}` }, endsOpenTurn: null };
  }

  // What is runnable for me now.
  const namesMe = (gate: GateFact): boolean => gate.blocks.includes("goal") || gate.blocks.includes(`agent:${me}`);
  const gatesOver = (todo: CandidateTodo): readonly GateFact[] =>
    facts.gates.filter((gate) => gate.decision !== "approved" && (namesMe(gate) || gate.blocks.includes(todo.todo_id)));
  const lacksApproval = (todo: CandidateTodo): boolean =>
    ["destructive_git", "credentials", "private_material", "production", "external_publication"].includes(
      todo.action_kind ?? "",
    ) &&
    !facts.gates.some(
      (gate) =>
        gate.decision === "approved" && gate.blocks.includes(todo.todo_id) && gate.kind === String(todo.action_kind),
    );
  const staysDeferred = (todo: CandidateTodo): boolean =>
    todo.status === "deferred" &&
    !isPast(resumeTime(todo)) &&
    ![...facts.doneTodoIds].some((id) => todo.resume === `todo_done:${id}`);
  const isTakenByOther = (todo: CandidateTodo): boolean =>
    todo.claimed_by !== null &&
    todo.claimed_by !== me &&
    todo.claim_expires_at !== null &&
    !isPast(todo.claim_expires_at);
  const isTooEarly = (todo: CandidateTodo): boolean => todo.due_at !== null && !isPast(todo.due_at);
  const obstacles: readonly [string, (todo: CandidateTodo) => boolean][] = [
    ["gate", (todo) => gatesOver(todo).length > 0],
    ["approval", lacksApproval],
    ["blocked", (todo) => todo.status === "blocked"],
    ["deferred", staysDeferred],
    ["dependency", (todo) => todo.unmet_dependencies.length > 0],
    ["claim", isTakenByOther],
    ["early", isTooEarly],
  ];
  const obstacleOf = (todo: CandidateTodo): string => obstacles.find(([, applies]) => applies(todo))?.[0] ?? "none";
  const work = facts.todos.filter(
    (todo) => todo.role === "agent" && todo.task_class !== "user_action" && todo.task_class !== "user_gate",
  );
  const runnable = work.filter((todo) => obstacleOf(todo) === "none");

  // The open turn.
  let ended: DecidedNext["endsOpenTurn"] = null;
  const turn = facts.openTurn;
  if (turn !== null) {
    const isMine = facts.holder.turnId === turn.turn_id || facts.holder.label === turn.holder;
    const isOver = isPast(turn.lease_expires_at);
    if (!isMine && !isOver) {
      const wait: Decision = { kind: "wait", reason: "turn_open_elsewhere", until: turn.lease_expires_at };
      return { decision: wait, endsOpenTurn: null };
    }
    const still = runnable.find(
      (todo) => todo.todo_id === turn.todo_id && todo.claimed_by === me && todo.claim_epoch === turn.claim_epoch,
    );
    const goesOn: Decision | null = still
      ? { kind: "run", todoId: still.todo_id, selectedBy: "turn_in_progress", turn: "resume", epoch: turn.claim_epoch }
      : null;
    if (isMine && facts.openTurnHasEvidence) {
      const settle: Decision = { kind: "repair", code: "turn_not_settled", turnId: turn.turn_id };
      return { decision: goesOn ?? settle, endsOpenTurn: null };
    }
    if (isMine && !isOver && turn.todo_id === "replan") {
      return { decision: { kind: "replan", turn: "resume" }, endsOpenTurn: null };
    }
    if (isMine && !isOver && goesOn !== null) return { decision: goesOn, endsOpenTurn: null };
    ended = facts.openTurnHasEvidence ? "lapsed" : "released";
  }
  const answer = (decision: Decision): DecidedNext => ({ decision, endsOpenTurn: ended });

  // Three without evidence in a row.
  const wasted = facts.releasedInARow + (ended === "released" ? 1 : 0);
  if (wasted >= 3) return answer({ kind: "repair", code: "turns_unsettled", turnId: turn?.turn_id ?? null });

  // Budget of one more turn: what is released is given back, where it counted.
  const { budget_total_turns: total, budget_window_turns: windowTurns, budget_window_ms: windowMs } = facts.goal;
  const back = ended === "released" ? 1 : 0;
  let throttled: Decision | null = null;
  if (windowTurns !== null && windowMs !== null) {
    const countedInWindow = turn !== null && Date.parse(turn.opened_at) > clock - windowMs ? back : 0;
    if (facts.turnsUsedInWindow - countedInWindow >= windowTurns) {
      const oldest = facts.oldestInWindowAt;
      const until = oldest === null ? null : (new Date(Date.parse(oldest) + windowMs).toISOString() as Instant);
      throttled = { kind: "throttled", reason: "budget_window", until };
    }
  }
  if (total !== null && facts.turnsUsed - back >= total) {
    throttled = { kind: "throttled", reason: "budget_total", until: null };
  }

  // One total order: my claim counts one level higher; ties are mine, then written order.
  if (runnable.length > 0) {
    if (throttled !== null) return answer(throttled);
    const isOwn = (todo: CandidateTodo): boolean =>
      todo.claimed_by === me && todo.claim_expires_at !== null && !isPast(todo.claim_expires_at);
    const rank = (todo: CandidateTodo): number =>
      (isOwn(todo) ? todo.priority - 1 : todo.priority) * 1e9 + (isOwn(todo) ? 0 : 1e8) + todo.position;
    const [first] = runnable.toSorted((left, right) => rank(left) - rank(right));
    if (first === undefined) throw new Error("unreachable");
    const other = first.task_class === "monitor" ? "monitor_due" : "priority";
    return answer({
      kind: "run",
      todoId: first.todo_id,
      selectedBy: isOwn(first) ? "my_claim" : other,
      turn: "open",
      epoch: isOwn(first) ? first.claim_epoch : first.claim_epoch + 1,
    });
  }

  // Nothing runnable. A person first: a no to everything, open questions about my work, then actions that my work waits for.
  const askUser = (reason: (Decision & { kind: "ask_user" })["reason"], ids: readonly string[]): DecidedNext => {
    let unnamed = 0;
    for (const todo of [...facts.todos, ...facts.gates]) if (ids.includes(todo.todo_id)) unnamed += todo.left_out;
    return answer({ kind: "ask_user", reason, todoIds: ids, ...(unnamed > 0 && { moreCount: unnamed }) });
  };
  const concernsMe = (gate: GateFact): boolean =>
    namesMe(gate) || work.some((todo) => gate.blocks.includes(todo.todo_id));
  const mine = facts.gates.filter(concernsMe);
  const refused = mine.filter((gate) => gate.decision === "rejected" && namesMe(gate));
  if (refused.length > 0)
    return askUser(
      "gate_rejected",
      refused.map((gate) => gate.todo_id),
    );
  const questions = mine.filter(
    (gate) => gate.decision === null || (gate.decision === "deferred" && isPast(gate.ask_again_at)),
  );
  if (questions.length > 0)
    return askUser(
      "gate",
      questions.map((gate) => gate.todo_id),
    );
  const awaited = work.filter((todo) => obstacleOf(todo) === "dependency").flatMap((todo) => todo.unmet_dependencies);
  const actions = facts.todos.filter((todo) => todo.task_class === "user_action" && awaited.includes(todo.todo_id));
  if (actions.length > 0)
    return askUser(
      "user_action",
      actions.map((todo) => todo.todo_id),
    );

  // Then time, or another agent: the earliest.
  const waits: { reason: WaitFor; until: Instant | null }[] = [
    ...work.map((todo): { reason: WaitFor; until: Instant | null } => {
      const obstacle = obstacleOf(todo);
      if (obstacle === "claim") return { reason: "claimed_by_others", until: todo.claim_expires_at };
      if (obstacle === "early") return { reason: "monitor_not_due", until: todo.due_at };
      return { reason: "deferred_until", until: obstacle === "deferred" ? resumeTime(todo) : null };
    }),
    ...mine
      .filter((gate) => gate.decision === "deferred")
      .map((gate) => ({ reason: "gate_deferred" as const, until: gate.ask_again_at })),
  ];
  const [soonest] = waits
    .filter(({ until }) => until !== null)
    .toSorted((left, right) => Date.parse(String(left.until)) - Date.parse(String(right.until)));
  if (soonest !== undefined) return answer({ kind: "wait", ...soonest });

  // Then what only a person can free: stuck, put aside without a time.
  const stuck = work.filter((todo) => ["approval", "blocked"].includes(obstacleOf(todo)));
  if (stuck.length > 0)
    return askUser(
      "blocked",
      stuck.map((todo) => todo.todo_id),
    );
  if (mine.some((gate) => gate.decision === "deferred")) {
    return answer({ kind: "wait", reason: "gate_deferred", until: null });
  }
  if (work.some((todo) => obstacleOf(todo) === "deferred")) {
    return answer({ kind: "wait", reason: "deferred_manual", until: null });
  }
  if (work.length > 0)
    return askUser(
      "blocked",
      work.map((todo) => todo.todo_id),
    );

  // No live work at all: plan, but the third fruitless plan asks.
  if (facts.replansInARow >= 2) return askUser("replan_exhausted", []);
  return answer(throttled ?? { kind: "replan", turn: "open" });
}
