// Stores on a server, a project's and that of traces: beside the programs, since those of every turn load nothing of it where a file is the store.
export { moveStore, planMove } from "../server-store/move-store.ts";
export { createServerStore, openServerStore } from "../server-store/open-server-store.ts";
export { openTraceDatabase } from "../server-store/open-trace-database.ts";
