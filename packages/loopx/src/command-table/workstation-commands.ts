import { BINDING } from "./context-flags.ts";
import type { CommandRecord } from "./command-spec.ts";
import { OWNER_TOKEN_FILE } from "./shared-flags.ts";

/** The local page where an owner sees and decides. */
export const WORKSTATION_COMMANDS = {
  workstation: {
    summary: "Serve a local page where you see all goals and decide what waits for you",
    details:
      "Prints a link that lets one browser in, once, within five minutes; Enter in its terminal, or SIGHUP, prints another. " +
      "It ends with Ctrl-C, SIGTERM or its terminal. Started at your own terminal, what you decide on the page is recorded as decided by an " +
      "owner through the Workstation; started by an agent it shows everything and decides nothing.",
    authority: "agent",
    flags: {
      port: {
        type: "integer",
        placeholder: "PORT",
        describe: "0 takes a free one",
        min: 0,
        max: 65_535,
        default: 4717,
      },
      host: { type: "text", placeholder: "ADDRESS", describe: "127.0.0.1 unless given" },
      allowRemote: { type: "boolean", describe: "let other machines reach --host; the page is not encrypted" },
      credentialFile: {
        type: "path",
        placeholder: "FILE",
        describe: "file of mode 0600: what a browser must show besides the link, where other machines reach the page",
      },
      contextProject: { type: "path", placeholder: "DIR", describe: "context project to show" },
      binding: BINDING,
      traces: { type: "path", placeholder: "DIR", describe: "folder of a trace store to show", repeatable: true },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    aliases: ["dashboard"],
    examples: [
      "loopx workstation",
      "loopx workstation --port 0 --context-project desk/project --binding desk --traces desk/traces",
    ],
  },
  open: {
    summary: "Print where a goal, todo or trace is on the Workstation's page",
    details:
      "Needs a Workstation that was started with the same LoopX home. The address lets nobody in: a browser that isn't yet says how.",
    authority: "read",
    flags: {
      browser: { type: "boolean", describe: "open it in this system's browser too" },
    },
    positional: { placeholder: "GOAL|TODO|TRACE", describe: "id; the overview without one" },
    examples: ["loopx open importer-goal", "loopx open todo_0123456789abcdef --browser"],
  },
} as const satisfies CommandRecord;
