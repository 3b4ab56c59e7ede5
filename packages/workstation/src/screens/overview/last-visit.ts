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
  const known = readStored(sessionStorage, SINCE);
  if (known !== undefined) return known;
  const since = readStored(localStorage, LAST) ?? new Date(Date.now() - DAY_MS).toISOString();
  sessionStorage.setItem(SINCE, since);
  return since;
}

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
  if (document.visibilityState === "visible") localStorage.setItem(LAST, new Date().toISOString());
}

/** Anything of this origin may have written it. */
function readStored(storage: Storage, key: string): string | undefined {
  const at = Date.parse(storage.getItem(key) ?? "");
  return Number.isNaN(at) || at > Date.now() || at < 0 ? undefined : new Date(at).toISOString();
}
