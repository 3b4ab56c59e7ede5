import { spawn } from "node:child_process";
import { LoopxError } from "@loopx/contracts";
import { joinLines } from "../../packets/render-facts.ts";
import { findAddress } from "../../workstation/find-address.ts";
import { findRunningServer } from "../../workstation/running-server.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Prints where a goal, todo or trace is on the page of the running Workstation. */
export const run: CommandHandler<"open"> = async ({ flags, positionals, globals, ambient }) => {
  const [id] = positionals;
  const path = id === undefined ? "/" : await findAddress(id, globals, ambient);
  const server = await findRunningServer(ambient);
  if (server === undefined) {
    throw new LoopxError("runtime_not_ready", {
      message: "no Workstation runs on this machine",
      hint: "start one in a terminal of its own: loopx workstation",
    });
  }
  const url = `${server.url}${path}`;
  if (flags.browser) await startBrowser(url);
  return {
    packet: { ok: true, schema_version: "loopx_open_v1", url },
    text: (style) =>
      joinLines(
        url,
        style.dim("a browser that is not let in yet says how; Enter at the Workstation's terminal prints a link"),
      ),
  };
};

/** The system's own way, by its exact name: the address never reaches a shell. */
async function startBrowser(url: string): Promise<void> {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(
        new LoopxError("file_not_readable", {
          message: `${program} cannot be started here`,
          hint: "leave --browser out, and open the address yourself",
          cause,
        }),
      ),
    );
  });
  child.unref();
}
