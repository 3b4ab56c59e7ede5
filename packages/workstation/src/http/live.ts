import type { ChangeNotice, HelloNotice, Topic } from "../contract/live.ts";

/** `connecting` before the first connection; `away` while the server does not answer; `signed-out` where it wants a new link. */
export type LiveState = "connecting" | "live" | "away" | "signed-out";

/** What of the page wants to know about changes. */
interface Listener {
  readonly topics: readonly Topic[];
  readonly changed: () => void;
}

const RETRY_MS = 1_000;

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let state: LiveState = "connecting";
let source: EventSource | undefined;
let wasLost = false;
/** A tab that nobody looks at gives its connection back: a browser has six of them for one server. */
let isResting = false;

document.addEventListener("visibilitychange", () => {
  if (document.hidden) rest();
  else if (isResting) openLive();
});

/** Calls `changed` whenever something of these topics may have changed. Gives what ends it. */
export function listenTo(topics: readonly Topic[], changed: () => void): () => void {
  const listener = { topics, changed };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function readLiveState(): LiveState {
  return state;
}

/** Calls `changed` with every change of the state. Gives what ends it. */
export function watchLiveState(changed: () => void): () => void {
  watchers.add(changed);
  return () => void watchers.delete(changed);
}

/** Opens the one connection of the page, which from then on opens itself again; in a hidden tab once that is looked at. */
export function openLive(): void {
  if (source !== undefined) return;
  isResting = document.hidden;
  if (isResting) return;
  source = new EventSource("/api/events");
  source.addEventListener("hello", (event) => greet(JSON.parse(String(event.data)) as HelloNotice));
  source.addEventListener("change", (event) => announce((JSON.parse(String(event.data)) as ChangeNotice).topics));
  source.addEventListener("error", () => void reopen());
}

function rest(): void {
  if (source === undefined) return;
  source.close();
  source = undefined;
  wasLost = true;
  isResting = true;
}

/** Closes it: the page is signed out. */
export function closeLive(): void {
  isResting = false;
  source?.close();
  source = undefined;
  setState("signed-out");
}

function greet(_hello: HelloNotice): void {
  setState("live");
  // Whatever happened meanwhile was announced to nobody.
  if (wasLost) for (const { changed } of listeners) changed();
  wasLost = false;
}

function announce(topics: readonly Topic[]): void {
  const touched = new Set<Topic>(topics);
  for (const { topics: wanted, changed } of listeners) {
    if (wanted.some((topic) => touched.has(topic))) changed();
  }
}

/** A browser gives up on a connection that is refused, so each one is made anew here. */
async function reopen(): Promise<void> {
  source?.close();
  source = undefined;
  wasLost = true;
  const answer = await askWhetherSignedIn();
  if (answer === "signed-out") return setState("signed-out");
  setState("away");
  setTimeout(answer === "signed-in" ? openLive : () => void reopen(), RETRY_MS);
}

async function askWhetherSignedIn(): Promise<"signed-in" | "signed-out" | "away"> {
  try {
    const { status } = await fetch("/api/session", { credentials: "same-origin" });
    if (status === 401) return "signed-out";
    return status === 200 ? "signed-in" : "away";
  } catch {
    return "away";
  }
}

function setState(next: LiveState): void {
  if (next === state) return;
  state = next;
  for (const changed of watchers) changed();
}
