import type { DispatchFailure } from "../dispatch/dispatch-request.ts";

/** What a provider did, in the words of who writes one. */
export function explainFailure(failure: DispatchFailure, exitCode: number | null): string {
  switch (failure) {
    case "timeout":
      return "it did not answer in time and was ended";
    case "execution_failed":
      return "it could not be started";
    case "nonzero_exit":
      return exitCode === null ? "a signal ended it" : `it ended with exit code ${exitCode}`;
    case "ok_false":
      return "it answered ok: false";
    case "response_not_json_object":
      return "what it wrote to stdout is not exactly one JSON object in UTF-8";
    case "response_too_large":
      return "it wrote more than 1,000,000 bytes to stdout";
    case "stderr_too_large":
      return "it wrote more than 1,000,000 bytes to stderr";
    case "entrypoint_changed":
      return "its files changed while it ran";
    case "request_too_large":
      return "the request is over 1,000,000 bytes";
    case "reentrant":
      return "no program of an extension may start another one";
    case "aborted":
      return "it was interrupted";
    default:
      throw new TypeError(`no words for ${JSON.stringify(failure satisfies never)}`);
  }
}
