import { VERSION } from "../version.ts";
import type { CommandHandler } from "./command-handler.ts";

/** The version of LoopX and of the Node it runs on. */
export const run: CommandHandler<"version"> = () => ({
  packet: { ok: true, schema_version: "loopx_version_v0", version: VERSION, node: process.versions.node },
  text: () => `loopx ${VERSION}`,
});
