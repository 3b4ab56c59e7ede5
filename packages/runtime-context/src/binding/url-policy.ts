import { isIP } from "node:net";
import { createAddressPolicy, isLoopbackHost } from "./address-policy.ts";

/** A provider's URL, normalised, or why it is refused. The reason never repeats the URL: it may hold a credential. */
export type ProviderUrl = { readonly url: string } | { readonly refused: string };

/**
 * Decides whether a provider may be reached at a URL.
 *
 * The WHATWG parser normalises first (`http://2130706433` is `http://127.0.0.1/`), then: HTTPS, or HTTP to loopback; port 80,
 * 443 or 1024 and up; no user, password or fragment. No query either: request data never adds one, and what stands in it
 * (`?code=…`) would be a credential in digests and logs. A host that is an address is judged like one that DNS gives.
 */
export function parseProviderUrl(text: string, allowAddresses: readonly string[]): ProviderUrl {
  const written = findWrittenFault(text);
  if (written !== undefined) return { refused: written };
  const url = toUrl(text);
  if (url === undefined) return { refused: "is not a URL" };
  const fault = findSchemeFault(url) ?? findPartFault(url) ?? findHostFault(url, allowAddresses);
  return fault === undefined ? { url: url.href } : { refused: fault };
}

/** What the parser would drop, decode or read as something else without a word. */
function findWrittenFault(text: string): string | undefined {
  if (text.length > 2048) return "is over the limit of 2048 characters";
  if (/[\s\p{C}\\]/u.test(text)) return "holds white space, control characters or a backslash";
  const [, authority = ""] = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)/.exec(text) ?? [];
  if (authority.includes("@")) return "holds a user or password; give the credential as secret: env:NAME or file:PATH";
  return authority.includes("%") ? "holds a percent sign in its host (a zone id or an encoded host)" : undefined;
}

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function findSchemeFault(url: URL): string | undefined {
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:") return "must be https, or http to loopback";
  return isLoopbackHost(url.hostname)
    ? undefined
    : "must be https: plain http goes to loopback only (localhost, 127.0.0.0/8, [::1])";
}

function findPartFault(url: URL): string | undefined {
  if (url.username !== "" || url.password !== "") return "holds a user or password";
  if (url.hash !== "" || url.href.endsWith("#")) return "must have no fragment";
  if (url.href.includes("?")) return "must have no query; a credential is given as secret: env:NAME or file:PATH";
  const port = url.port === "" ? 443 : Number(url.port);
  return port === 80 || port === 443 || port >= 1024 ? undefined : "takes the ports 80, 443 and 1024 to 65535";
}

function findHostFault(url: URL, allowAddresses: readonly string[]): string | undefined {
  if (url.hostname.endsWith(".")) return "must have no dot at the end of its host";
  const address = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) === 0) return undefined;
  const isAllowed = createAddressPolicy({ url: url.href, allowAddresses }).isAllowed(address);
  return isAllowed
    ? undefined
    : "names an address that is not public; a private range needs allowAddresses, some are never allowed";
}
