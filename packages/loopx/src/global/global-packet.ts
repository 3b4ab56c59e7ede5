import { describeContents, LIMITS } from "@loopx/contracts";
import { printCommand } from "../command-line/print-command.ts";
import { renderCursor, type OrderedRow } from "./ordered-head.ts";
import type { SourceWarning } from "./registered-project.ts";
import { createTextView, type TextRoom, type TextView } from "../packets/shown-text.ts";
import type { Survey } from "./survey.ts";

/** One of the four views, by the last word of its command. */
export type GlobalViewName = "summary" | "gates" | "todos" | "risks";

/** Something to do next, and whose call it is. Its preview is a command line. */
export interface GlobalAction {
  readonly action_id: string;
  readonly kind: "read_more" | "review" | "ask_user";
  readonly requires_user_approval: boolean;
  readonly requires_maintainer_authority: boolean;
  readonly preview: string;
}

export function toAction(actionId: string, kind: GlobalAction["kind"], preview: string): GlobalAction {
  return {
    action_id: actionId,
    kind,
    requires_user_approval: kind === "ask_user",
    requires_maintainer_authority: false,
    preview,
  };
}

/** What a view puts around its rows. */
export interface GlobalFrame<Item> {
  readonly view: GlobalViewName;
  readonly includes: readonly string[];
  readonly survey: Survey;
  readonly limit: number;
  readonly agentId: string | undefined;
  /** The rows that are paged, in order, and the field they stand in. */
  readonly list: string;
  readonly rows: readonly OrderedRow<Item>[];
  readonly room: TextRoom;
  readonly toPacket: (row: OrderedRow<Item>, text: TextView) => object;
  readonly summary: (page: GlobalPage<Item>) => object;
  /** Further fields of the packet, shown masked like the rows. */
  readonly extra: (text: TextView) => object;
  readonly actions: (page: GlobalPage<Item>) => readonly GlobalAction[];
}

export interface GlobalPage<Item> {
  readonly rows: readonly OrderedRow<Item>[];
  /** Where the next page begins; undefined on the last. */
  readonly nextCursor: string | undefined;
}

export interface RenderedPage<Item> extends GlobalPage<Item> {
  readonly packet: object;
  readonly actions: readonly GlobalAction[];
}

/**
 * Renders as many rows as the budget of a page takes, at least one where there is one.
 *
 * What the boundary says is read from the finished packet; what was masked is counted while it is made.
 */
export function renderPage<Item>(frame: GlobalFrame<Item>): RenderedPage<Item> {
  for (let count = Math.min(frame.limit, frame.rows.length); ; count -= 1) {
    const rows = frame.rows.slice(0, count);
    const last = rows.at(-1);
    const nextCursor = last === undefined || count === frame.rows.length ? undefined : renderCursor(last.key);
    const page = { rows, nextCursor };
    const rendered = { ...page, ...renderPacket(frame, page) };
    if (count <= 1 || countBytes(rendered.packet) <= LIMITS.packetMaxBytes.global_page) return rendered;
  }
}

export function countBytes(packet: object): number {
  return Buffer.byteLength(JSON.stringify(packet));
}

function renderPacket<Item>(
  frame: GlobalFrame<Item>,
  page: GlobalPage<Item>,
): { readonly packet: object; readonly actions: readonly GlobalAction[] } {
  const { survey, view } = frame;
  const text = createTextView(frame.room);
  const actions = listActions(frame, page);
  const content = {
    ok: true,
    schema_version: "global_manager_command_response_v0",
    request: {
      schema_version: "global_manager_command_request_v0",
      command: `/loopx-global-${view}`,
      cli_command: printCommand(`global-${view}`, {}).shell,
      include: frame.includes,
      ...(frame.agentId === undefined ? {} : { agent_id: frame.agentId }),
      limit: frame.limit,
      privacy_mode: "public_safe_summary",
      dry_run: true,
    },
    generated_at: survey.at,
    summary: frame.summary(page),
    ...frame.extra(text),
    [frame.list]: page.rows.map((row) => frame.toPacket(row, text)),
    ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
    source_warnings: survey.warnings.slice(0, WARNINGS_SHOWN).map(toWarningPacket),
    actions,
    omissions: listOmissions(survey),
  };
  const contains = describeContents(JSON.stringify(content));
  const boundary = {
    absolute_paths_recorded: contains.includes("local_path"),
    credential_values_recorded: contains.includes("credential"),
    masked_path_count: text.masked.local_path,
    masked_credential_count: text.masked.credential,
  };
  return { packet: { ...content, boundary }, actions };
}

/** Before the first project there is one thing to do. */
function listActions<Item>(frame: GlobalFrame<Item>, page: GlobalPage<Item>): readonly GlobalAction[] {
  if (frame.survey.hasProjects) return frame.actions(page);
  const command = printCommand("bootstrap", { objective: "<what to reach>" }, { globals: { project: "." } });
  return [toAction("connect_first_project", "review", command.shell)];
}

const WARNINGS_SHOWN = 4;

export function toWarningPacket(warning: SourceWarning): object {
  return { code: warning.code, project_root_label: warning.label, next_safe_action: printWarningStep(warning) };
}

export function printWarningStep({ goalId }: SourceWarning): string {
  return goalId === undefined ? printCommand("doctor", {}).shell : printCommand("status", { goalId }).shell;
}

function listOmissions({ warnings, counts }: Survey): readonly string[] {
  const { closedGoals, goalsWithUnscannedTexts } = counts;
  return [
    ...(warnings.length === 0 ? [] : [`${warnings.length} projects could not be read: counts are lower bounds`]),
    ...(warnings.length > WARNINGS_SHOWN ? [`${warnings.length - WARNINGS_SHOWN} source warnings`] : []),
    ...(closedGoals === 0 ? [] : [`${closedGoals} goals that are completed or stopped`]),
    ...(goalsWithUnscannedTexts === 0 ? [] : [`texts past the first 400 of ${goalsWithUnscannedTexts} goals`]),
  ];
}
