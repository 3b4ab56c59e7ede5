import { printCommand } from "../../command-line/print-command.ts";
import { renderPage, toAction } from "../../global/global-packet.ts";
import { parseCursor } from "../../global/ordered-head.ts";
import { renderGlobalText } from "../../global/render-global-text.ts";
import { createTextView, ROW_TEXT } from "../../packets/shown-text.ts";
import { surveyProjects } from "../../global/survey.ts";
import { printWorkStep, toWorkCells, toWorkPacket, WORK_COLUMNS, WORK_KEY_SHAPE } from "../../global/work-row.ts";
import { renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows the open work of all projects, what can be worked on first. */
export const run: CommandHandler<"global-todos"> = async ({ flags, globals, ambient }) => {
  const { agentId, limit, cursor } = flags;
  const after = cursor === undefined ? null : ({ list: "todos", key: parseCursor(cursor, WORK_KEY_SHAPE) } as const);
  const query = { agentId, includes: new Set<never>(), progressMs: undefined, riskMs: undefined, limit, after };
  const survey = await surveyProjects(query, globals, ambient);
  const { counts, heads } = survey;
  const headline =
    counts.todos === 0
      ? "no work is open"
      : `${renderQuantity(counts.todos, "open todo")}: ${counts.runnableTodos} runnable, ${counts.deferredReadyTodos} put off until now, ${counts.blockedTodos} held back`;
  const page = renderPage({
    view: "todos",
    includes: ["runnable", "blocked", "deferred_ready", "review"],
    survey,
    limit,
    agentId,
    list: "todos",
    rows: heads.todos.list(),
    room: ROW_TEXT,
    toPacket: (row, text) => toWorkPacket(row, agentId, text),
    summary: ({ rows, nextCursor }) => ({
      headline,
      matched_todo_count: counts.todos,
      returned_todo_count: rows.length,
      runnable_count: counts.runnableTodos,
      deferred_ready_count: counts.deferredReadyTodos,
      blocked_count: counts.blockedTodos,
      review_count: counts.reviewTodos,
      source_warning_count: survey.warnings.length,
      truncated: nextCursor !== undefined,
    }),
    extra: () => ({}),
    actions: ({ rows, nextCursor }) => [
      ...rows.slice(0, 1).map((row) => toAction("first_todo", "review", printWorkStep(row, agentId))),
      ...(nextCursor === undefined
        ? []
        : [toAction("next_page", "read_more", printCommand("global-todos", { ...flags, cursor: nextCursor }).shell)]),
    ],
  });
  return {
    packet: page.packet,
    text: (style) => {
      const text = createTextView(ROW_TEXT);
      const cells = page.rows.map((row) => toWorkCells(row, text));
      const sections = [{ title: "work", columns: WORK_COLUMNS, cells }];
      return renderGlobalText({ headline, sections, survey, actions: page.actions }, style);
    },
  };
};
