/** What `GET /api/session` answers to a page that is signed in, and `POST /api/session` to one that has just become so. */
export interface SessionAnswer {
  readonly ok: true;
  readonly version: string;
  /** Changes with every start of the server. */
  readonly server_id: string;
  /** Whether who started the server is an owner: what only owners do can be done here. */
  readonly may_decide: boolean;
  /** Why nothing can be decided here, as a sentence; null where it can. */
  readonly why_not: string | null;
}

/** What `POST /api/session` takes. */
export interface SessionRequest {
  /** From the fragment of a link that the server printed: good once, for minutes. */
  readonly token: string;
  /** Of a server that other machines reach. */
  readonly credential?: string;
}
