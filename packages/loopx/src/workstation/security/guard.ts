import { timingSafeEqual } from "node:crypto";
import { fromRefusal, LoopxError } from "@loopx/contracts";
import { listAllowedHosts } from "./allowed-hosts.ts";
import { judgeRequest } from "./judge-request.ts";
import { createOneTimeTokens, toSecretDigest } from "./one-time-tokens.ts";
import { listSessionSecrets, renderSessionCookie } from "./session-cookie.ts";
import { createSessions } from "./sessions.ts";

export interface GuardOptions {
  readonly hostname: string;
  readonly port: number;
  /** What a browser must show besides the token of a link; null where only this machine reaches the server. */
  readonly credential: string | null;
  readonly clockMs: () => number;
}

/** Who may talk to the server. Holds the secrets of the links and browsers of this one start. */
export interface Guard {
  /** Throws `unauthorised` where a request doesn't come from the server's own page. `path` is the one that is routed by. */
  readonly assertOwnPage: (request: Request, path: string) => void;
  /** Throws `unauthorised` where the browser was not let in. */
  readonly assertSignedIn: (request: Request) => void;
  /** Lets a browser in and gives the `Set-Cookie` for it. Throws `unauthorised`. */
  readonly signIn: (token: string, credential: string | undefined) => string;
  /** The address that lets one browser in, once. */
  readonly createLink: () => string;
}

export function createGuard({ hostname, port, credential, clockMs }: GuardOptions): Guard {
  const hosts = listAllowedHosts(hostname, port);
  const tokens = createOneTimeTokens(clockMs);
  const sessions = createSessions(clockMs);
  const [ownHost = ""] = hosts;
  return {
    assertOwnPage: (request, path) => {
      const { headers, method, url } = request;
      const find = (name: string): string | undefined => headers.get(name) ?? undefined;
      const refusal = judgeRequest(
        {
          method,
          path,
          target: new URL(url).host,
          host: find("host"),
          origin: find("origin"),
          fetchSite: find("sec-fetch-site"),
          fetchMode: find("sec-fetch-mode"),
        },
        hosts,
      );
      if (refusal !== undefined) throw fromRefusal(refusal);
    },
    assertSignedIn: (request) => {
      const secrets = listSessionSecrets(port, request.headers.get("cookie") ?? "");
      if (secrets.some((secret) => sessions.isOpen(secret))) return;
      throw new LoopxError("unauthorised", {
        message: "this browser is not signed in",
        hint: "press Enter in the terminal of loopx workstation, and open the link it prints",
      });
    },
    signIn: (token, given) => {
      // Before the token: a wrong credential must not use up the link.
      if (credential !== null && !isSame(given ?? "", credential)) {
        throw new LoopxError("unauthorised", {
          message: given === undefined ? "this server wants its credential too" : "the credential is another",
          details: { field: "credential" },
        });
      }
      if (tokens.use(token)) return renderSessionCookie(port, sessions.open());
      throw new LoopxError("unauthorised", {
        message: "the link was used before or has expired",
        hint: "press Enter in the terminal of loopx workstation, and open the link it prints",
        details: { field: "token" },
      });
    },
    createLink: () => `http://${ownHost}/#token=${tokens.create()}`,
  };
}

/** Compares digests, so that neither length nor content of the secret shows in the time it takes. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(toSecretDigest(given)), Buffer.from(toSecretDigest(secret)));
}
