import { isEarlierRecall } from "loopx-provider-sdk";
import { objectField, objectList, textField } from "../record-fields.ts";
import type { HostRecord } from "../session-host.ts";
import type { VisibleMessage } from "../visible-message.ts";
import { stripInjectedText } from "./strip-injected-text.ts";

/** The visible message of one line of a rollout: an event of the conversation, or a message sent to or by the model. */
export function findCodexMessage(record: HostRecord): VisibleMessage | undefined {
  const payload = objectField(record, "payload");
  const said = isConversationEvent(record) ? findEventText(payload) : findResponseText(record, payload);
  if (said === undefined) return undefined;
  const text = said.role === "user" ? stripInjectedText(said.text) : said.text.trim();
  if (text === "" || isEarlierRecall(text)) return undefined;
  return { role: said.role, text, sentAt: textField(record, "timestamp") ?? null };
}

/** Events show what a person saw. The same text stands in a `response_item` too, beside what was only for the model. */
export function isConversationEvent(record: HostRecord): boolean {
  return record["type"] === "event_msg";
}

type Said = Pick<VisibleMessage, "role" | "text">;

function findEventText(payload: HostRecord): Said | undefined {
  switch (payload["type"]) {
    case "user_message":
      return isTyped(payload) ? toSaid("user", textField(payload, "message")) : undefined;
    case "agent_message":
      return toSaid("assistant", textField(payload, "message"));
    case "item_completed": {
      // Rollouts with `history_mode: "paginated"` hold their visible text in these.
      const item = objectField(payload, "item");
      const role = item["type"] === "UserMessage" ? "user" : item["type"] === "AgentMessage" ? "assistant" : undefined;
      return role === undefined ? undefined : toSaid(role, joinTexts(item["content"]));
    }
    default:
      return undefined;
  }
}

/** A `kind` says what else than a person's words a message is. */
function isTyped(payload: HostRecord): boolean {
  return payload["kind"] == null || payload["kind"] === "plain";
}

function findResponseText(record: HostRecord, payload: HostRecord): Said | undefined {
  if (record["type"] !== "response_item" || payload["type"] !== "message") return undefined;
  const { role } = payload;
  return role === "user" || role === "assistant" ? toSaid(role, joinTexts(payload["content"])) : undefined;
}

/** Parts that are injected whole go before the others are joined. */
function joinTexts(content: unknown): string {
  const texts = objectList(content).map((part) => textField(part, "text") ?? "");
  return texts.filter((text) => stripInjectedText(text) !== "").join("\n");
}

function toSaid(role: Said["role"], text: string | undefined): Said | undefined {
  return text === undefined ? undefined : { role, text };
}
