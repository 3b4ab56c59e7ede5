import { fromRefusal, type Ambient, type Refusal } from "@loopx/contracts";
import {
  askNextTurn,
  CONTEXT_NOT_FETCHED,
  findContextAttachment,
  peekNextTurn,
  refuseNotAttached,
  type NextTurn,
  type NextTurnRequest,
} from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import type { ShownContext } from "../packets/should-run/decision-body.ts";
import { assertTrusted } from "../project/assert-trusted.ts";
import type { OpenProject } from "../project/open-project.ts";
import { withGoal, type ProjectQuery } from "../project/resolve-project.ts";
import { fetchContext, type ContextQuestion, type FetchedContext } from "./fetch-context.ts";
import { showContext } from "./show-context.ts";

/** Who asks, for the turn of which goal, and with which attached context. */
export interface AskInContext {
  readonly query: ProjectQuery & { readonly goalId: string };
  readonly profile: string;
  readonly toRequest: (database: Database) => Promise<NextTurnRequest>;
  readonly toError: (refusal: Refusal, database: Database) => Promise<Error>;
}

export interface AskedInContext {
  readonly next: NextTurn;
  /** Absent where nothing was fetched, since there is no work to fetch it for. */
  readonly context: ShownContext | undefined;
}

/** The todo may be taken, or another come first, while its facts are fetched. */
const MOST_FETCHES = 3;

/**
 * Answers what an agent may do next, with the facts that the work needs: looks which todo it would be, fetches for that one
 * while no store is open, and then decides. Where the todo is another by then, that one's facts are fetched in turn.
 *
 * Stored places and the binding are followed only in a project that this machine trusts. Refuses as `askNextTurn` does, with
 * `context_not_attached`, and with `context_not_usable`.
 */
export async function askInContext(asking: AskInContext, ambient: Ambient): Promise<AskedInContext> {
  for (let fetchCount = 1; ; fetchCount += 1) {
    const question = await findQuestion(asking, ambient);
    const fetched = question && (await fetchContext(question, ambient));
    const next = await decide(asking, fetched, ambient);
    const isOutdated = next.decision.kind === "wait" && next.decision.reason === "context_outdated";
    if (isOutdated && fetchCount < MOST_FETCHES) continue;
    const isShown = fetched !== undefined && isAboutContext(next);
    return { next, context: isShown ? showContext(fetched, asking.query.goalId) : undefined };
  }
}

/** The context of work that isn't done now says nothing about what is to be done instead. */
function isAboutContext({ decision }: NextTurn): boolean {
  return decision.kind === "run" || ("reason" in decision && decision.reason === "context_blocked");
}

/** What to fetch; undefined where the agent would not be given work. */
async function findQuestion(
  { query, profile, toRequest, toError }: AskInContext,
  ambient: Ambient,
): Promise<ContextQuestion | undefined> {
  return withGoal(query, "read", async (project) => {
    await assertTrusted(project, ambient);
    const { database, root } = project;
    const attachment = await database.read((tx) => findContextAttachment(tx, query.goalId, profile));
    const peeked = await peekNextTurn(database, await toRequest(database), ambient.now());
    if (!peeked.ok) throw await toError(peeked, database);
    if (attachment === undefined) throw fromRefusal(refuseNotAttached(profile));
    return peeked.todo === null ? undefined : { attachment, todo: peeked.todo, root };
  });
}

async function decide(
  { query, toRequest, toError }: AskInContext,
  fetched: FetchedContext | undefined,
  ambient: Ambient,
): Promise<NextTurn> {
  return withGoal(query, "write", async ({ database }: OpenProject) => {
    const request = { ...(await toRequest(database)), context: fetched?.fact ?? CONTEXT_NOT_FETCHED };
    const next = await askNextTurn(database, request, ambient);
    if (!next.ok) throw await toError(next, database);
    return next;
  });
}
