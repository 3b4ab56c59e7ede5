import { readFileSync } from "node:fs";
import { toFileError } from "@loopx/store";
import { CONTEXT_GUIDE } from "../../context/runtime-parts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** The guide that belongs to this version. */
export const run: CommandHandler<"context guide"> = () => {
  const guide = readGuide();
  return {
    packet: { ok: true, schema_version: "loopx_context_guide_v1", markdown: guide },
    text: () => guide,
    isData: true,
  };
};

function readGuide(): string {
  try {
    return readFileSync(CONTEXT_GUIDE, "utf8");
  } catch (error) {
    throw toFileError(error, "the guide of this installation");
  }
}
