const LAST = "loopx.last-visit";
const SINCE = "loopx.visit-since";
const DAY_MS = 86_400_000;
const NOTED_EVERY_MS = 30_000;

/**
 * When the owner was last here, in this browser: the end of the visit before this tab's. A reload is the same visit.
 *
 * It lives on the page and not in a store: who looked when is nobody else's to know, and the server holds no state.
 */
export function readLastVisit(): string {
  const known = visitSince ?? readStored("sessionStorage", SINCE);
  visitSince = known ?? readStored("localStorage", LAST) ?? new Date(Date.now() - DAY_MS).toISOString();
  if (known === undefined) store("sessionStorage", SINCE, visitSince);
  return visitSince;
}

/** For a browser that keeps nothing: then a reload is another visit. */
let visitSince: string | undefined;

/** Notes that somebody is here for as long as the page can be seen. Gives what ends it. */
export function noteVisit(): () => void {
  const noting = setInterval(note, NOTED_EVERY_MS);
  addEventListener("pagehide", note);
  return () => {
    clearInterval(noting);
    removeEventListener("pagehide", note);
  };
}

function note(): void {
  if (document.visibilityState === "visible") store("localStorage", LAST, new Date().toISOString());
}

type StorageName = "localStorage" | "sessionStorage";

/** Anything of this origin may have written it, and a browser may refuse even to look. */
function readStored(storage: StorageName, key: string): string | undefined {
  try {
    const at = Date.parse(globalThis[storage].getItem(key) ?? "");
    return Number.isNaN(at) || at > Date.now() || at < 0 ? undefined : new Date(at).toISOString();
  } catch {
    return undefined;
  }
}

function store(storage: StorageName, key: string, at: string): void {
  try {
    globalThis[storage].setItem(key, at);
  } catch {
    // Its place is used up, or its owner lets it keep nothing: what is shown doesn't depend on it.
  }
}
