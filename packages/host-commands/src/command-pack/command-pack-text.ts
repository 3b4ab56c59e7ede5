import { alignRows, showCommand, type TextRow } from "../text-rows.ts";
import type { CommandPackPacket, NextStepKind } from "./command-pack-packet.ts";

/** The packet for people: what is known, then the goals, the next step last. */
export function renderCommandPackText(packet: CommandPackPacket): string {
  const { identity, recommended_next_step: next } = packet;
  const rows: TextRow[] = [
    ["project", packet.project_root_label ?? "not resolved"],
    ["connection", CONNECTIONS[packet.connection]],
    [
      "follows",
      packet.followed_worktree_to_label &&
        `the registered source of this worktree, ${packet.followed_worktree_to_label}`,
    ],
    ["agent", identity.agent_id ?? IDENTITIES[identity.state]],
    ["thread", identity.thread_id],
    ["lanes", String(identity.registered_agent_count)],
    ...packet.goals.map((goal): TextRow => ["active state id", `${goal.goal_id} (${goal.status}): ${goal.objective}`]),
  ];
  const hidden = packet.goal_count - packet.goals.length;
  if (hidden > 0) rows.push(["", `and ${hidden} more`]);
  return [
    "LoopX project",
    alignRows(rows),
    "",
    `Next: ${NEXT_STEPS[next.kind]}${next.requires_user_confirmation ? " (ask the user first)" : ""}`,
    ...(next.help === undefined ? [] : [next.help]),
    ...(next.command === undefined ? [] : [showCommand(next.command)]),
  ].join("\n");
}

const CONNECTIONS: Readonly<Record<CommandPackPacket["connection"], string>> = {
  project_not_resolved: "no project found here",
  not_connected: "not connected yet",
  connected: "connected",
  store_missing: "connected, but its store is gone",
  store_unreadable: "connected, but its store can't be read",
  project_not_trusted: "its store comes from elsewhere and no owner connected it here",
};

const IDENTITIES: Readonly<Record<CommandPackPacket["identity"]["state"], string>> = {
  thread_binding_selected: "the one this thread is bound to",
  selected: "selected",
  fresh_agent_registration_required: "a new one, not registered yet",
  thread_binding_conflict: "to be chosen: this thread is bound to several",
  thread_binding_invalid: "to be chosen: this thread is bound to one that is not registered",
  thread_already_bound: "to be chosen: this thread has one already",
  thread_bound_to_other_agent: "to be chosen: this thread is bound to another",
  invalid_selection: "to be chosen: the one named does not fit",
  thread_binding_selection_required: "to be chosen: this thread is bound to none",
  selection_required: "to be chosen",
  project_not_connected: "none before the project is connected",
  no_registered_agents: "none registered for a goal that is open",
};

const NEXT_STEPS: Readonly<Record<NextStepKind, string>> = {
  set_up_project: "set the project up",
  confirm_before_bootstrap_mutation: "preview a start, which connects the project",
  select_host_surface: "say which host you run in",
  select_goal: "choose a goal",
  select_agent_identity: "choose an agent",
  goal_plan_write_and_activate: "plan a task",
  status_and_loop_activation: "look at the goal, then go on with it",
};
