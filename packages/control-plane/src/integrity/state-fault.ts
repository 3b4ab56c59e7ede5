/** Something in a project's state that no write of ours can have left there. */
export interface StateFault {
  /** The table it is in. */
  readonly table: string;
  /** What is wrong, in words of the program: nothing that a row holds. */
  readonly problem: string;
  readonly count: number;
}

/** Counts faults of one kind together: a lost page makes hundreds of one. */
export class FaultCount {
  readonly #counts = new Map<string, StateFault>();

  add(table: string, problem: string): void {
    const key = `${table}\n${problem}`;
    this.#counts.set(key, { table, problem, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  list(): readonly StateFault[] {
    return [...this.#counts.values()];
  }
}
