import { alignRows, showCommand, type TextRow } from "../text-rows.ts";
import type { CommandPackPacket } from "./command-pack-packet.ts";

/** The packet for people: what is known, then the goals, the next step last. */
export function renderCommandPackText(packet: CommandPackPacket): string {
  const { identity, recommended_next_step: next } = packet;
  const rows: TextRow[] = [
    ["project", packet.project_root_label ?? "not resolved"],
    ["connection", packet.connection],
    [
      "follows",
      packet.followed_worktree_to_label &&
        `the registered source of this worktree, ${packet.followed_worktree_to_label}`,
    ],
    ["agent", identity.agent_id ?? identity.state],
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
    `Next: ${next.kind}${next.requires_user_confirmation ? " (ask the user first)" : ""}`,
    ...(next.help === undefined ? [] : [next.help]),
    ...(next.command === undefined ? [] : [showCommand(next.command)]),
  ].join("\n");
}
