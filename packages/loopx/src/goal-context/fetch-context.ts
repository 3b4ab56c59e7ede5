import { ERROR_TABLE, isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { FROM_TARGET_KEY, type ContextAttachment, type ContextFact, type Todo } from "@loopx/control-plane";
import { parseTurnRequest, type TurnAnswer, type TurnRequest, type TurnResult } from "@loopx/runtime-context";
import { carryOutTurn } from "../context/carry-out-turn.ts";
import { openAttached } from "./open-attached.ts";
import { fromStoredPlace } from "./stored-place.ts";

/** A context turn for one todo: what the decision takes from it, and all of it for the packet. */
export interface FetchedContext {
  readonly fact: ContextFact;
  readonly answer: TurnAnswer;
}

/** What is asked, and the root from which stored places count. */
export interface ContextQuestion {
  readonly attachment: ContextAttachment;
  readonly todo: Todo;
  readonly root: string;
}

/**
 * Fetches what a goal's attachment asks for. Takes as long as its providers: no lock may be held meanwhile.
 *
 * BLOCKED is an answer. Refuses with `context_not_usable` where no turn can be carried out.
 */
export async function fetchContext(question: ContextQuestion, ambient: Ambient): Promise<FetchedContext> {
  return refuseUnusable(question, () => carryOut(question, ambient));
}

/** What is wrong with an attachment's project, binding or request, as `context_not_usable`. */
export async function refuseUnusable<Result>(
  { attachment }: Pick<ContextQuestion, "attachment">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isLoopxError(error) || ERROR_TABLE[error.code].category === "internal") throw error;
    throw new LoopxError("context_not_usable", {
      message: `the context ${attachment.profile} cannot be asked for: ${error.message}`,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      details: { ...error.details, because: error.code },
      cause: error,
    });
  }
}

/** What an attachment asks for the sake of one todo. Refuses with `invalid_value`. */
export function toTurnRequest({ attachment, todo }: Omit<ContextQuestion, "root">): TurnRequest {
  const { objective, consumer, profile } = attachment;
  return parseTurnRequest({ objective, consumer, profile, inputs: resolveInputs(attachment.inputs, todo) });
}

async function carryOut({ attachment, todo, root }: ContextQuestion, ambient: Ambient): Promise<FetchedContext> {
  const { binding, trace_store } = attachment;
  const isAboutTodo = Object.values(attachment.inputs).includes(FROM_TARGET_KEY);
  const request = toTurnRequest({ attachment, todo });
  const deployment = await openAttached(attachment, root, ambient);
  try {
    const store = trace_store === null ? undefined : fromStoredPlace(trace_store, root);
    const { answer } = await carryOutTurn(deployment, { request, store, binding }, ambient);
    const state = toState(answer.result);
    return { fact: { todoId: isAboutTodo ? todo.todo_id : null, state }, answer };
  } finally {
    await deployment.close();
  }
}

/** A todo without a target key gives none: what needs it is then unknown. */
function resolveInputs(inputs: ContextAttachment["inputs"], todo: Todo): ContextAttachment["inputs"] {
  const entries = Object.entries(inputs).flatMap(([name, value]) => {
    if (value !== FROM_TARGET_KEY) return [[name, value] as const];
    return todo.target_key === null ? [] : [[name, todo.target_key] as const];
  });
  return Object.fromEntries(entries);
}

/** What may be there when it is asked for again. Everything else somebody has to mend. */
const MENDED_BY_TIME: readonly string[] = [
  "PROVIDER_TIMEOUT",
  "PROVIDER_UNAVAILABLE",
  "PROVIDER_NOT_EVALUATED",
  "CURRENTNESS_NOT_ACCEPTED",
];

function toState({ outcome, blockedBy }: TurnResult): ContextFact["state"] {
  if (outcome !== "BLOCKED") return "usable";
  return blockedBy.every(({ reason }) => MENDED_BY_TIME.includes(reason)) ? "blocked" : "blocked_for_owner";
}
