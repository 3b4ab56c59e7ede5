import { refuse, type Refusal } from "@loopx/contracts";

/** What of a request tells where it comes from. */
export interface RequestOrigin {
  readonly method: string;
  /** As routes are found by it, so that no other spelling of it is another one here. */
  readonly path: string;
  /** The host of the request's target, which counts before `Host` where it is there (RFC 9112, 3.2.2). */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
}

/**
 * Whether a request comes from a page of this server, or from no page at all.
 *
 * A name that was pointed at this machine shows in `Host`; a page of another site in `Origin` or `Sec-Fetch-Site`. What
 * changes something carries an `Origin` in every browser, so without one it is refused. Opening the page from elsewhere is
 * allowed: it shows nothing until it has asked for it from itself.
 */
export function judgeRequest(request: RequestOrigin, allowedHosts: ReadonlySet<string>): Refusal | undefined {
  const { method, path, target, host, origin, fetchSite, fetchMode } = request;
  if (host === undefined || !allowedHosts.has(host.toLowerCase()) || !allowedHosts.has(target)) {
    return refuse("unauthorised", {
      message: "the request names another host than this server",
      hint: "open the link exactly as the Workstation printed it",
      details: { field: "host" },
    });
  }
  if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return toForeign("origin");
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead && origin === undefined) return toForeign("origin");
  const isOpening = isRead && fetchMode === "navigate" && !path.startsWith("/api/");
  const isOwn = fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none";
  return isOwn || isOpening ? undefined : toForeign("sec-fetch-site");
}

function toForeign(field: string): Refusal {
  return refuse("unauthorised", {
    message: "the request does not come from the page of this server",
    hint: "open the Workstation by the link it printed",
    details: { field },
  });
}
