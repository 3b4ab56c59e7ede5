// A project's store on a server: beside the programs, since those of every turn load nothing of it where a file is the store.
export { createServerStore, openServerStore } from "../server-store/open-server-store.ts";
