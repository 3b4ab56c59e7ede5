import { HOME_MIGRATIONS } from "@loopx/control-plane";
import { EXTENSIONS_MIGRATION } from "@loopx/extensions";
import type { Migration } from "@loopx/store";

/** The schema of this machine's home store: the tables of each part that keeps something in it. */
export const HOME_SCHEMA: readonly Migration[] = [...HOME_MIGRATIONS, EXTENSIONS_MIGRATION];
