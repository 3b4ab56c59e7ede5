import { ERROR_TABLE, type ErrorCode } from "@loopx/contracts";
import type { CommandAnswer } from "../run-command-line.ts";
import { renderDocument } from "./render-document.ts";

/** What a command answered, with the status of the error table where it refused. */
export function renderAnswer({ packet }: CommandAnswer): Response {
  return renderDocument(packet, { status: findStatus(packet) });
}

function findStatus(packet: object): number {
  const error = "error" in packet ? packet.error : undefined;
  if (typeof error !== "object" || error === null || !("code" in error)) return 200;
  const { code } = error;
  return isErrorCode(code) ? ERROR_TABLE[code].http : 500;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERROR_TABLE, code);
}
