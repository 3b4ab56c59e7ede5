/** A turn that an answer gave to an agent. */
export interface GivenTurn {
  readonly goalId: string;
  readonly agentId: string;
  readonly turnId: string;
  readonly todoId: string;
  /** On the driver's own clock, when the answer was there. */
  readonly givenAt: number;
}

/** A completion that was acknowledged. */
export interface AcknowledgedCompletion {
  readonly goalId: string;
  readonly todoId: string;
  readonly turnId: string;
  /** On the driver's own clock, when the command was started. */
  readonly startedAt: number;
}

/** What the programs said to those who called them: kept by the driver, apart from any store. */
export interface SoakRecord {
  readonly turns: GivenTurn[];
  /** `goal/todo` of what was added. */
  readonly addedTodos: Set<string>;
  /** `goal/turn` with the evidence that was acknowledged for it. */
  readonly evidence: Map<string, string>;
  readonly completions: AcknowledgedCompletion[];
  /** `goal/turn` with how many answers said that they charged it; a killed program's may be lost. */
  readonly charges: Map<string, number>;
  /** `goal/todo` of gates: false until a decision is acknowledged. */
  readonly gates: Map<string, boolean>;
  commands: number;
  kills: number;
  /** Codes of refusals and how often they came. */
  readonly refusals: Map<string, number>;
  /** What no command may answer. */
  readonly faults: string[];
}

export function createSoakRecord(): SoakRecord {
  return {
    turns: [],
    addedTodos: new Set(),
    evidence: new Map(),
    completions: [],
    charges: new Map(),
    gates: new Map(),
    commands: 0,
    kills: 0,
    refusals: new Map(),
    faults: [],
  };
}

/** Adds to what is counted under a key. */
export function count(counts: Map<string, number>, key: string, more = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
