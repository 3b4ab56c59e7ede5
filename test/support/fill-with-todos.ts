import { join } from "node:path";
import { runSql } from "./run-sql.ts";
import type { WorkingGoal } from "./working-goal.ts";

export interface Filling {
  /** A todo to copy. */
  readonly like: string;
  readonly count: number;
  /** Of each copy, with its number behind it. */
  readonly text: string;
}

/** Copies a todo as often as one likes, behind the program's back: hundreds by commands would take minutes. */
export function fillWithTodos({ world }: Pick<WorkingGoal, "world">, { like, count, text }: Filling): void {
  const copies = Array.from({ length: count }, (_, at) => {
    const named = `todo_id = 'todo_copy${at}', position = 1000 + ${at}, text = '${text} ${at}'`;
    return `UPDATE copied SET ${named}; INSERT INTO todos SELECT * FROM copied;`;
  });
  const copied = `CREATE TEMP TABLE copied AS SELECT * FROM todos WHERE todo_id = '${like}';`;
  runSql(join(world.project, ".loopx", "state.db"), `${copied} BEGIN; ${copies.join(" ")} COMMIT;`);
}
