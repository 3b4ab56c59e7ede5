import { fromRefusal, type Ambient } from "@loopx/contracts";
import { planTurn } from "@loopx/runtime-context";
import { refuseUnusable, toTurnRequest, type ContextQuestion } from "./fetch-context.ts";
import { buildAttached } from "./open-attached.ts";

/** What a turn would ask for, and whom: names, and never a lookup value. */
export interface PlannedFetch {
  readonly profile: string;
  readonly objective: string;
  readonly consumer: string;
  readonly todo_id: string;
  readonly providers: readonly { readonly provider: string; readonly input: string }[];
  /** Layers that stay UNKNOWN, since the todo doesn't say what they are asked by. */
  readonly unknown: readonly string[];
}

/** Says what would be fetched for a todo. Asks nobody; refuses with `context_not_usable` as fetching would. */
export async function planFetch(question: ContextQuestion, ambient: Ambient): Promise<PlannedFetch> {
  const { attachment, todo, root } = question;
  const plan = await refuseUnusable(question, async () => {
    const planned = planTurn(await buildAttached(attachment, root, ambient), toTurnRequest(question));
    if ("ok" in planned) throw fromRefusal(planned);
    return planned;
  });
  return {
    profile: attachment.profile,
    objective: attachment.objective,
    consumer: attachment.consumer,
    todo_id: todo.todo_id,
    providers: plan.lookups.map(({ provider, input }) => ({ provider, input })),
    unknown: plan.layers.flatMap((layer) => (layer.kind === "unknown" ? [layer.layer.id] : [])),
  };
}
