import { ERROR_TABLE, isLoopxError, neutraliseText, toErrorPacket } from "@loopx/contracts";
import { respond } from "./security/respond.ts";

/**
 * An answer of the API. The one place where text on its way to the page is neutralised: what would hide, reorder or act on
 * its surroundings goes or becomes U+FFFD, in names of members too.
 */
export function renderDocument(document: object, { status = 200, headers = {} }: DocumentParts = {}): Response {
  return respond(renderDocumentText(document), { status, headers: { "content-type": "application/json", ...headers } });
}

/** The same as JSON in one line, for an answer that has several. */
export function renderDocumentText(document: object): string {
  return JSON.stringify(neutraliseDeep(document));
}

interface DocumentParts {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to anything thrown: the command line's error packet, with the status of the error table. */
export function renderFault(error: unknown): Response {
  return renderDocument(toErrorPacket(error), { status: isLoopxError(error) ? ERROR_TABLE[error.code].http : 500 });
}

function neutraliseDeep(value: unknown): unknown {
  if (typeof value === "string") return neutraliseText(value).text;
  if (Array.isArray(value)) return value.map(neutraliseDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [neutraliseText(name).text, neutraliseDeep(member)]),
  );
}
