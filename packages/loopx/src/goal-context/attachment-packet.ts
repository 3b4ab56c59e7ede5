import { basename, isAbsolute } from "node:path";
import { redact } from "@loopx/contracts";
import type { ChangedAttachment, ContextAttachment } from "@loopx/control-plane";
import type { CommandResult } from "../output/command-result.ts";
import { joinLines, renderFacts, renderNext } from "../packets/render-facts.ts";

/** An attachment as packets show it: of a path outside the project only its last name. */
export function toAttachmentPacket({ goal_id: _goal, status: _status, ...attachment }: ContextAttachment): object {
  const { context_project, binding, trace_store } = attachment;
  return {
    ...attachment,
    context_project: mask(context_project),
    binding: mask(binding),
    trace_store: trace_store === null ? null : mask(trace_store),
  };
}

export function toAttachmentFacts(attachment: ContextAttachment): readonly (readonly [string, string | null])[] {
  const { context_project, binding, trace_store, objective, consumer, inputs } = attachment;
  return [
    ["project", mask(context_project)],
    ["binding", mask(binding)],
    ["asks", `${objective} for ${consumer}`],
    ...Object.entries(inputs).map(([name, value]) => [name, value] as const),
    ["traces", trace_store === null ? "not kept" : mask(trace_store)],
    ["since", attachment.changed_at],
  ];
}

/** Of a path outside the project its last name is enough to recognise it by. */
function mask(place: string): string {
  return redact(isAbsolute(place) ? `…/${basename(place)}` : place).text;
}

/** The answer of a command that attached or detached. */
export function renderAttachmentChange(
  words: { readonly done: string; readonly already: string },
  { attachment, changed }: ChangedAttachment,
  next: readonly string[],
): CommandResult {
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_attachment_v1",
      goal_id: attachment.goal_id,
      changed,
      status: attachment.status,
      attachment: toAttachmentPacket(attachment),
      next,
    },
    text: (style) =>
      joinLines(
        `${changed ? words.done : words.already}: ${style.bold(attachment.profile)}`,
        renderFacts(toAttachmentFacts(attachment), style),
        renderNext(next, style),
      ),
  };
}
