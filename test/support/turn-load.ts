/** What became of one turn that was asked for. */
export interface LoadedTurn {
  readonly status: number;
  readonly traceId: string;
  readonly outcome: string;
  /** The replica that answered. */
  readonly url: string;
}

/** Turns asked for one after another by several callers at once, until `stop`. */
export interface TurnLoad {
  readonly turns: readonly LoadedTurn[];
  /** Turns of which the connection broke: asked for again at another replica, as a load balancer does. */
  readonly brokenCount: number;
  /** Settles when this many more turns were answered. */
  more(count: number): Promise<void>;
  /** Settles when the turns under way are answered. */
  stop(): Promise<void>;
}

const CALLERS = 4;
/** A load that nobody stops ends by itself. */
const MOST_TURNS = 5_000;

/** Asks the replicas in turn; `listUrls` says which there are. */
export function startTurnLoad(listUrls: () => readonly string[], request: object): TurnLoad {
  const turns: LoadedTurn[] = [];
  const waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  let isOver = false;
  let asked = 0;
  let brokenCount = 0;
  const askOnce = async (): Promise<LoadedTurn | undefined> => {
    const urls = listUrls();
    const url = urls[(asked += 1) % urls.length] ?? "";
    try {
      const answer = await fetch(`${url}/v1/turns`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      const { trace_id: traceId = "", outcome = "" } = (await answer.json()) as Partial<Record<string, string>>;
      return { status: answer.status, traceId, outcome, url };
    } catch {
      return undefined;
    }
  };
  const call = async (): Promise<void> => {
    while (!isOver && turns.length < MOST_TURNS) {
      const turn = await askOnce();
      if (turn === undefined) brokenCount += 1;
      else turns.push(turn);
      for (const each of waiting.filter(({ at }) => turns.length >= at)) each.resolve();
    }
  };
  const callers = Array.from({ length: CALLERS }, call);
  return {
    turns,
    get brokenCount() {
      return brokenCount;
    },
    more: (count) => new Promise((resolve) => waiting.push({ at: turns.length + count, resolve })),
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
    },
  };
}
