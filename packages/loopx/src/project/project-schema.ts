import { LATER_PROJECT_MIGRATIONS, PROJECT_MIGRATIONS } from "@loopx/control-plane";
import { DECISION_CONTEXT_MIGRATION } from "@loopx/decision-context";
import type { Migration } from "@loopx/store";

/** The schema of a project's store: the tables of each part that keeps something in it. */
export const PROJECT_SCHEMA: readonly Migration[] = [
  ...PROJECT_MIGRATIONS,
  DECISION_CONTEXT_MIGRATION,
  ...LATER_PROJECT_MIGRATIONS,
];
