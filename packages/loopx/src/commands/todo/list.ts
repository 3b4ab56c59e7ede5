import { LoopxError } from "@loopx/contracts";
import { listTodos, parseTodoCursor, type Page, type Todo } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { renderTable } from "../../output/render-table.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { toPriority, toTodoPacket } from "../../packets/todo-packet.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

const PAGE = 20;
/** Room for the frame of the packet and its cursor. */
const FRAME_BYTES = 400;
const PAGE_BYTES = 4096 - FRAME_BYTES;

/** Lists todos a page at a time, live ones first. */
export const run: CommandHandler<"todo list"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async (project, goalId) => {
    const cursor = flags.cursor === undefined ? null : readCursor(flags.cursor);
    const filter = {
      role: flags.role ?? null,
      status: flags.status ?? null,
      taskClass: flags.taskClass ?? null,
      agentId: flags.agentId ?? null,
    };
    const limit = flags.limit ?? PAGE;
    const page = await project.database.read((tx) => listTodos(tx, goalId, { filter, limit, cursor }));
    const isLimited = flags.limit !== undefined;
    return renderPage(
      goalId,
      isLimited ? page : fitPage(page),
      (next) => printCommand("todo list", { ...flags, goalId, cursor: next }).shell,
    );
  });

function readCursor(text: string): NonNullable<ReturnType<typeof parseTodoCursor>> {
  const cursor = parseTodoCursor(text);
  if (cursor !== undefined) return cursor;
  throw new LoopxError("invalid_value", {
    message: "--cursor takes what the page before gave as next_cursor",
    details: { field: "cursor" },
  });
}

/** Without an explicit limit a page ends where its packet would grow over its budget. */
function fitPage(page: Page<Todo>): Page<Todo> {
  let bytes = 0;
  const items = page.items.filter((todo, index) => {
    bytes += Buffer.byteLength(JSON.stringify(toTodoPacket(todo))) + 1;
    return index === 0 || bytes <= PAGE_BYTES;
  });
  const last = items.at(-1);
  if (items.length === page.items.length || last === undefined) return page;
  const finished = last.status === "done" || last.status === "superseded" ? 1 : 0;
  return { ...page, items, nextCursor: `${finished}.${last.priority}.${last.position}` };
}

function renderPage(goalId: string, page: Page<Todo>, printNext: (cursor: string) => string): CommandResult {
  const next = page.nextCursor === null ? [printStep(goalId, page.items)] : [printNext(page.nextCursor)];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_todo_list_v1",
      total: page.total,
      todos: page.items.map(toTodoPacket),
      ...(page.nextCursor === null ? {} : { next_cursor: page.nextCursor }),
    },
    text: (style) =>
      page.items.length === 0
        ? joinLines("no todos", renderNext(next, style))
        : joinLines(
            renderRows(page.items, style),
            style.dim(`${page.items.length} of ${page.total}`),
            renderNext(next, style),
          ),
  };
}

/** With the whole list in sight: the one at its head, or how it gets a first one. */
function printStep(goalId: string, todos: readonly Todo[]): string {
  const [first] = todos;
  if (first === undefined) return printCommand("todo add", { goalId, text: "<todo text>" }).shell;
  if (first.task_class === "user_gate") return printCommand("gate show", { goalId, gateId: first.todo_id }).shell;
  return printCommand("todo show", { goalId, todoId: first.todo_id }).shell;
}

function renderRows(todos: readonly Todo[], style: TextStyle): string {
  const columns = [{ title: "ID" }, { title: "" }, { title: "STATUS" }, { title: "HOLDER" }, { title: "TEXT" }];
  const rows = todos.map((todo) => [
    todo.todo_id,
    toPriority(todo.priority),
    todo.task_class === "user_gate" ? `gate ${todo.gate?.decision ?? "open"}` : todo.status,
    todo.claim_expires_at === null ? "" : (todo.claimed_by ?? ""),
    String(toTodoPacket(todo)["text"]),
  ]);
  return renderTable(columns, rows, style);
}
