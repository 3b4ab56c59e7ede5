import { useCallback, useEffect, useState } from "react";
import type { SessionAnswer } from "../contract/session.ts";
import { closeLive, openLive } from "./live.ts";
import { getDocument, postDocument, RequestFault } from "./request.ts";
import { takeToken } from "./take-token.ts";
import { useLiveState } from "./use-live-state.ts";

/** Whether this browser is signed in, and as what. */
export type SessionState =
  | { readonly kind: "asking" }
  | { readonly kind: "signed-in"; readonly session: SessionAnswer }
  | { readonly kind: "signed-out"; readonly fault: RequestFault };

export interface Session {
  readonly state: SessionState;
  /** Asks again whether the browser is signed in: a link may have been opened in another tab. */
  readonly ask: () => void;
  /** Signs in with the token of the page's link and the credential of a server that other machines reach. */
  readonly signIn: (credential: string) => void;
}

let token: string | null = null;

/** Signs in with the token of the link that was opened, else by the cookie that the browser has. */
export function useSession(): Session {
  const [state, setState] = useState<SessionState>({ kind: "asking" });
  const live = useLiveState();

  const settle = useCallback(async (asked: Promise<SessionAnswer>) => {
    try {
      const session = await asked;
      setState({ kind: "signed-in", session });
      openLive();
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      setState((last) => (isAnsweredAlready(last, error) ? last : { kind: "signed-out", fault: error }));
      closeLive();
    }
  }, []);
  const ask = useCallback(() => void settle(getDocument<SessionAnswer>("/api/session")), [settle]);
  const signIn = useCallback(
    (credential: string) => {
      const body = { token: token ?? "", ...(credential === "" ? {} : { credential }) };
      void settle(postDocument<SessionAnswer>("/api/session", body));
    },
    [settle],
  );

  useEffect(() => {
    token = takeToken() ?? token;
    if (token === null) ask();
    else signIn("");
    // Pasted where the page is open already, a link loads nothing anew.
    const enter = (): void => {
      const given = takeToken();
      if (given === null) return;
      token = given;
      signIn("");
    };
    addEventListener("hashchange", enter);
    return () => removeEventListener("hashchange", enter);
  }, [ask, signIn]);
  useEffect(() => {
    // The server was started anew: it knows nobody yet.
    if (live === "signed-out") ask();
  }, [live, ask]);
  return { state, ask, signIn };
}

/** What was said to a sign-in tells more than that nobody is signed in yet. */
function isAnsweredAlready(last: SessionState, { fault, status }: RequestFault): boolean {
  const isTold = last.kind === "signed-out" && last.fault.fault.details?.["field"] !== undefined;
  return isTold && status !== null && fault.details?.["field"] === undefined;
}
