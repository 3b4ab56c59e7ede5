/** Something of the other store that has no place here, or another one. */
export interface NotCarried {
  readonly goal_id: string | null;
  /** What it is: `claim`, `runs`, `todo field note_kind`. */
  readonly what: string;
  readonly why: string;
  readonly count: number;
  /** The first lines of the goal's file that it stands in; none where it is elsewhere. */
  readonly lines: readonly number[];
}

const LINES_SHOWN = 5;

/** Collects what isn't carried, one entry for each kind of thing and reason. */
export interface CarryReport {
  add(entry: {
    readonly goalId: string | null;
    readonly what: string;
    readonly why: string;
    readonly line?: number;
  }): void;
  list(): readonly NotCarried[];
}

export function createCarryReport(): CarryReport {
  const entries = new Map<string, NotCarried>();
  return {
    add({ goalId, what, why, line }) {
      const key = JSON.stringify([goalId, what, why]);
      const known = entries.get(key) ?? { goal_id: goalId, what, why, count: 0, lines: [] };
      const isShown = line !== undefined && known.lines.length < LINES_SHOWN;
      entries.set(key, { ...known, count: known.count + 1, lines: isShown ? [...known.lines, line] : known.lines });
    },
    list: () => [...entries.values()],
  };
}
