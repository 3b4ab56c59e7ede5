import { useState } from "react";
import { postDocument, RequestFault } from "../../http/request.ts";

/** A change on its way: what came of it, or why not. */
export interface Change<Receipt> {
  readonly receipt: Receipt | undefined;
  readonly fault: RequestFault | undefined;
  readonly isSending: boolean;
  readonly send: (body: object) => void;
}

/** Sends changes to one path, one at a time. */
export function useChange<Receipt>(path: string): Change<Receipt> {
  const [state, setState] = useState<Omit<Change<Receipt>, "send">>({
    receipt: undefined,
    fault: undefined,
    isSending: false,
  });
  const send = (body: object): void => {
    setState({ receipt: undefined, fault: undefined, isSending: true });
    postDocument<Receipt>(path, body).then(
      (receipt) => setState({ receipt, fault: undefined, isSending: false }),
      (error: unknown) => {
        if (!(error instanceof RequestFault)) throw error;
        setState({ receipt: undefined, fault: error, isSending: false });
      },
    );
  };
  return { ...state, send };
}
