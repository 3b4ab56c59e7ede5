import { cutText, isEarlierRecall, MAX_CONTENT_CODE_POINTS, type RetrievedItem } from "loopx-provider-sdk";

type Fields = Readonly<Record<string, unknown>>;

const ID = /^[^\s\p{C}]{1,180}$/u;

/**
 * The items in what Obelisk printed, or undefined when that is no list of rows.
 *
 * Each row is held to every rule again, since what the script filtered is only as good as the Obelisk that ran it. The score is
 * Obelisk's rank: the lower, the better.
 */
export function parseHits(stdout: string, sessionId: string): readonly RetrievedItem[] | undefined {
  const rows = parseRows(stdout);
  return rows?.flatMap((row) => {
    const { rank } = row;
    const session = toFields(row["session"]);
    const message = toFields(row["message"]);
    if (!isAskedSession(session, sessionId) || !isVisibleText(message)) return [];
    if (typeof rank !== "number" || !Number.isFinite(rank)) return [];
    return [
      {
        resource_ref: `obelisk:${sessionId}:${message.uuid}`,
        summary: `Historical Codex task ${message.role}`,
        content: cutText(message.text, MAX_CONTENT_CODE_POINTS).text,
        score: rank,
      },
    ];
  });
}

function parseRows(stdout: string): readonly Fields[] | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    const areRows = Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null);
    return areRows ? (value as Fields[]) : undefined;
  } catch {
    // A script that returns nothing prints `undefined`, and what it logs stands before the rows.
    return undefined;
  }
}

function isAskedSession(session: Fields, sessionId: string): boolean {
  return session["id"] === sessionId && session["source"] === "codex" && session["is_invoking"] !== true;
}

interface VisibleText {
  readonly uuid: string;
  readonly text: string;
  readonly role: "user" | "assistant";
}

function isVisibleText(message: Fields): message is Fields & VisibleText {
  const { uuid, text, role, visibility } = message as Fields & Record<"uuid" | "text" | "role" | "visibility", unknown>;
  return (
    message["content_type"] === "text" &&
    (role === "user" || role === "assistant") &&
    !isSet(message["is_meta"]) &&
    (visibility == null || visibility === "visible") &&
    typeof uuid === "string" &&
    ID.test(uuid) &&
    typeof text === "string" &&
    text.trim() !== "" &&
    !isEarlierRecall(text)
  );
}

function isSet(flag: unknown): boolean {
  return flag === true || flag === 1;
}

function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
