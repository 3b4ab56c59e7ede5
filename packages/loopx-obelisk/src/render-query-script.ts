import { EARLIER_RECALL_MARKS } from "loopx-provider-sdk";

export interface ObeliskQuery {
  readonly text: string;
  /** `codex:<thread id>`, as Obelisk names it. */
  readonly sessionId: string;
  readonly limit: number;
}

/** How many rows are looked through for those that count: reasoning and tools rank among them. */
const SEARCH_LIMIT = 200;

/**
 * The body of a file for `obelisk --query`. It filters before it cuts, so that no row that is left out takes the place of one
 * that counts; `rank - rank` is 0 for finite numbers alone, as a script is promised no `Number`. What differs from call to call is one JSON literal.
 */
export function renderQueryScript(query: ObeliskQuery): string {
  return `const asked = ${toScriptLiteral(query)};
const recalled = ${toScriptLiteral(EARLIER_RECALL_MARKS)};
const rows = await search(asked.text, {
  limit: ${SEARCH_LIMIT},
  sessionId: asked.sessionId,
  source: "codex",
  includeMeta: false,
  includeInactive: false,
});
const counts = ({ message, session, rank }) =>
  session.id === asked.sessionId &&
  session.source === "codex" &&
  session.is_invoking !== true &&
  message.content_type === "text" &&
  (message.role === "user" || message.role === "assistant") &&
  !message.is_meta &&
  (message.visibility === undefined || message.visibility === null || message.visibility === "visible") &&
  typeof message.uuid === "string" &&
  /^\\S{1,180}$/.test(message.uuid) &&
  typeof message.text === "string" &&
  message.text.trim() !== "" &&
  !recalled.some((marks) => marks.every((mark) => message.text.includes(mark))) &&
  typeof rank === "number" &&
  rank - rank === 0;
return rows.filter(counts).slice(0, asked.limit).map(({ message, session, rank }) => ({
  message: {
    uuid: message.uuid,
    text: message.text.slice(0, 32000),
    content_type: message.content_type,
    role: message.role,
    is_meta: message.is_meta,
    visibility: message.visibility,
  },
  session: { id: session.id, source: session.source, is_invoking: session.is_invoking },
  rank,
}));
`;
}

/** JSON is JavaScript, but for two line ends that JSON leaves bare. */
function toScriptLiteral(value: ObeliskQuery | typeof EARLIER_RECALL_MARKS): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
