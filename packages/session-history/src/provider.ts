// The program of the extension `session-history`: recall from the hosts' own transcripts.
import { defineAdvisoryProvider } from "loopx-provider-sdk";
import { isHistoryReadable } from "./is-history-readable.ts";
import { retrieveFromHistory } from "./retrieve-from-history.ts";

void defineAdvisoryProvider({
  doctor: () => isHistoryReadable(process.env),
  retrieve: (request, { signal }) => retrieveFromHistory(request, { environment: process.env, signal }),
}).run();
