import { resolve } from "node:path";
import { isatty } from "node:tty";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { resolveSecret, startServer } from "@loopx/runtime-context";
import { DEFAULT_HOST, isLoopback } from "../../context/loopback.ts";
import { openWorkstation } from "../../workstation/open-workstation.ts";
import { parseServedHost } from "../../workstation/served-host.ts";
import { offerLinks } from "../../workstation/offer-links.ts";
import { noteRunningServer, type RunningServer } from "../../workstation/running-server.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** A URL leaves it out. */
const HTTP_PORT = 80;
const TERMINAL_GONE = "terminal_gone";
/** How long answers under way may take once the server stops. */
const DRAIN_MS = 2_000;

/** Serves the page until SIGINT or SIGTERM, or until the terminal goes where links are asked for. */
export const run: CommandHandler<"workstation"> = async (input) => {
  const { flags, ambient } = input;
  const hostname = parseServedHost(flags.host ?? DEFAULT_HOST);
  const credential = loadCredential(flags, hostname, ambient);
  const workstation = await openWorkstation(input);
  const server = await startServer(workstation.app, { hostname, port: flags.port });
  const stopped = input.untilInterrupted();
  const guard = workstation.begin({ hostname, port: Number(new URL(server.url).port || HTTP_PORT), credential });
  const forget = await noteServer({ url: server.url, pid: process.pid, server_id: workstation.serverId }, input);
  const offer = offerLinks(input, { url: server.url, createLink: guard.createLink });
  const end = await Promise.race([stopped, offer.untilGone.then(() => TERMINAL_GONE)]);
  forget();
  workstation.stop();
  await server.stop(DRAIN_MS);
  // Not before: of a terminal that goes, system and shell each send a SIGHUP.
  offer.stop();
  // Ends the process as a terminal that goes ends others. Node would reset that terminal at its exit, and abort over it.
  if (end === TERMINAL_GONE && !isatty(1) && !isatty(2)) process.kill(process.pid, "SIGHUP");
  return {
    packet: { ok: true, schema_version: "loopx_workstation_v1", url: server.url },
    text: () => "stopped",
  };
};

/** The page works without the note. */
async function noteServer(server: RunningServer, { ambient, note }: Input): Promise<() => void> {
  try {
    return await noteRunningServer(server, ambient);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    note("the LoopX home cannot be written, so loopx open won't find this Workstation");
    return () => undefined;
  }
}

type Input = Pick<CommandInput<"workstation">, "ambient" | "note">;
type Flags = CommandInput<"workstation">["flags"];

/** Refuses with `missing_flag` to serve other machines unless that is said twice, and with a credential. */
function loadCredential(flags: Flags, hostname: string, ambient: Ambient): string | null {
  if (isLoopback(hostname)) return null;
  const { allowRemote, credentialFile } = flags;
  if (!allowRemote || credentialFile === undefined) {
    throw new LoopxError("missing_flag", {
      message: "an address other machines can reach is served with --allow-remote and a credential only",
      hint: "write a credential to a file of mode 0600 and name it with --credential-file, or leave --host out",
      details: { flags: ["--allow-remote", "--credential-file"] },
    });
  }
  return resolveSecret({ kind: "file", path: resolve(ambient.cwd, credentialFile) }, ambient.env).reveal();
}
