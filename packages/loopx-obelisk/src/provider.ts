// The program `loopx-obelisk`: recall from past Codex sessions, through Obelisk's command line.
import { defineAdvisoryProvider } from "loopx-provider-sdk";
import { readObeliskProgram } from "./obelisk-program.ts";
import { isObeliskReady } from "./is-obelisk-ready.ts";
import { retrieveFromObelisk } from "./retrieve-from-obelisk.ts";

void defineAdvisoryProvider({
  doctor: ({ args }) => isObeliskReady({ program: readObeliskProgram(args), environment: process.env }),
  retrieve: (request, { args, signal }) =>
    retrieveFromObelisk(request, { program: readObeliskProgram(args), environment: process.env, signal }),
}).run();
