import { useEffect, useState, type ReactNode } from "react";
import { Code } from "../../components/code.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import type { RequestFault } from "../../http/request.ts";
import type { Session } from "../../http/use-session.ts";

interface SignedOutProps {
  readonly fault: RequestFault;
  readonly session: Session;
}

const ASK_AGAIN_MS = 2_000;

/** Says how to get in, and goes on by itself when a link was opened in another tab. */
export function SignedOutScreen({ fault, session }: SignedOutProps): ReactNode {
  const { ask } = session;
  useEffect(() => {
    const asking = setInterval(ask, ASK_AGAIN_MS);
    return () => clearInterval(asking);
  }, [ask]);
  const field = fault.fault.details?.["field"];
  const isAway = fault.status === null;
  return (
    <main className="signed-out">
      <h1>{isAway ? "The Workstation does not answer" : "Open the link that the Workstation printed"}</h1>
      {isAway ? (
        <>
          <p>It may have been stopped. Start it again in a terminal of yours; this page goes on by itself.</p>
          <Code text="loopx workstation" />
        </>
      ) : (
        <>
          <p>
            Each link works once and for a few minutes. For a new one press Enter in the terminal where{" "}
            <code>loopx workstation</code> runs, and open it in this browser. This page goes on by itself.
          </p>
          {field === undefined ? null : <ErrorState fault={fault} />}
          {field === "credential" ? <CredentialForm session={session} /> : null}
        </>
      )}
    </main>
  );
}

/** For a server that other machines reach: the link alone lets nobody in. */
function CredentialForm({ session }: { readonly session: Session }): ReactNode {
  const [credential, setCredential] = useState("");
  return (
    <form
      className="credential"
      onSubmit={(event) => {
        event.preventDefault();
        session.signIn(credential);
      }}
    >
      <label>
        Credential of this server
        <input
          type="password"
          autoComplete="off"
          value={credential}
          onChange={(event) => setCredential(event.target.value)}
        />
      </label>
      <button type="submit">Sign in</button>
    </form>
  );
}
