import type { ReactNode } from "react";
import type { RequestFault } from "../http/request.ts";
import { Code } from "./code.tsx";

/** Says what went wrong and what to do, in the words of the command line. */
export function ErrorState({
  fault,
  onRetry,
}: {
  readonly fault: RequestFault;
  readonly onRetry?: () => void;
}): ReactNode {
  const { message, hint, code } = fault.fault;
  return (
    <div className="fault" role="alert">
      <p>
        <strong>{toSentence(message)}</strong> <span className="faint">{code}</span>
      </p>
      {hint === undefined ? null : <p>{hint.startsWith("loopx ") ? <Code text={hint} /> : toSentence(hint)}</p>}
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
