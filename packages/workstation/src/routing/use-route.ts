import { useSyncExternalStore } from "react";
import { parseRoute, toAddress, type Route } from "./route.ts";

const MOVED = "loopx:moved";

/** The route of the page's address, as it is now. */
export function useRoute(): Route {
  const address = useSyncExternalStore(listen, readAddress);
  const [path = "/", query] = address.split("?");
  return parseRoute(path, query);
}

/** Goes to a route: one more entry in the browser's history. */
export function goTo(route: Route): void {
  history.pushState(null, "", toAddress(route));
  dispatchEvent(new Event(MOVED));
  scrollTo(0, 0);
}

function readAddress(): string {
  return `${location.pathname}${location.search}`;
}

function listen(changed: () => void): () => void {
  addEventListener("popstate", changed);
  addEventListener(MOVED, changed);
  return () => {
    removeEventListener("popstate", changed);
    removeEventListener(MOVED, changed);
  };
}
