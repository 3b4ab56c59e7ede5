import type { ContextTrace } from "@loopx/runtime-context";
import type { OutcomeReading, ReadingCause } from "@loopx/workstation/contract";

type Layer = ContextTrace["layers"][number];
type Fact = ContextTrace["unknowns"][number];

/** Why a recorded turn came out as it did, in sentences: what its trace says, and nothing else. */
export function readOutcome(trace: ContextTrace): OutcomeReading {
  const amiss = trace.outcome === "BLOCKED" ? trace.blockedBy : trace.unknowns;
  return {
    says: sayOutcome(trace, amiss.length),
    because: amiss.map((fact) => toCause(fact, trace)),
  };
}

function sayOutcome({ outcome, layers }: ContextTrace, count: number): string {
  const selected = layers.filter(({ isSelected }) => isSelected).length;
  const nouns = count === 1 ? "one layer" : `${count} layers`;
  switch (outcome) {
    case "READY":
      return `Everything that was asked for is known: ${sayCount(selected, "layer")} went into the text.`;
    case "DEGRADED":
      return `The agent got its text, and in it the sentence that current facts of ${nouns} are unknown. No required layer was missing.`;
    case "BLOCKED":
      return `The agent got no text: ${nouns} that the profile requires could not be had.`;
    default:
      return outcome satisfies never;
  }
}

function sayCount(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}

function toCause({ layer, provider, reason }: Fact, trace: ContextTrace): ReadingCause {
  const found = trace.layers.find((one) => one.layer === layer);
  const answer = trace.providers.find((one) => one.provider === provider);
  return { layer, provider, word: reason, ...explain(found, answer, reason) };
}

type Explained = Pick<ReadingCause, "says" | "next">;
type Answer = ContextTrace["providers"][number];

function explain(layer: Layer | undefined, answer: Answer | undefined, reason: string): Explained {
  if (layer?.notSelectedBecause === "BUDGET") {
    return { says: "It does not fit into the profile's budget.", next: "Raise the budget, or make the text shorter." };
  }
  switch (layer?.state) {
    case "UNKNOWN":
      return { says: "The turn did not give the input that it is looked up by.", next: NEXT_INPUT };
    case "STALE":
      return {
        says: `The provider answered, and what it has is not known to be current (${layer.currentness ?? "UNKNOWN"}).`,
        next: "The profile's accept says what it takes.",
      };
    case "EMPTY":
      return { says: "The provider has no record, and the layer needs one.", next: "Was the right record asked for?" };
    case "UNAVAILABLE":
      return explainStatus(answer, reason);
    default:
      return { says: `The runtime says ${reason}.`, next: null };
  }
}

const NEXT_INPUT = "Give it with the turn; an attachment names its inputs.";

function explainStatus(answer: Answer | undefined, reason: string): Explained {
  if (answer === undefined) return { says: `The provider gave no usable answer (${reason}).`, next: null };
  const { says, next } = STATUSES[answer.status];
  const why = [answer.reason, answer.pointer ?? null].filter((part) => part !== null && part !== "").join(" at ");
  return { says: `${says(answer)}${why === "" ? "" : ` The reason is ${why}.`}`, next };
}

interface StatusWords {
  readonly says: (answer: Answer) => string;
  readonly next: string | null;
}

const STATUSES: Readonly<Record<Answer["status"], StatusWords>> = {
  OK: { says: () => "The provider answered, and its answer could not be used.", next: null },
  NOT_FOUND: { says: () => "The provider has no record of this value.", next: "Was the right record asked for?" },
  TIMEOUT: {
    says: ({ durationMs }) => `The provider did not answer within its time: it was given up after ${durationMs} ms.`,
    next: "Ask the provider how it is; timeoutMs in the binding says how long it may take.",
  },
  UNAVAILABLE: { says: () => "The provider could not be reached.", next: "Ask the provider how it is." },
  LIMIT_EXCEEDED: {
    says: () => "The provider answered more than it may.",
    next: "maxItems and maxBytes say how much that is.",
  },
  INVALID_RESPONSE: {
    says: () => "The provider's answer broke the contract context-provider.v1, so nothing of it was used.",
    next: "loopx context provider check holds it against the contract.",
  },
  SECRET_DETECTED: {
    says: () => "The provider's answer held what looks like a credential, so nothing of it was used.",
    next: "Take the credential out of the record.",
  },
  INCOMPATIBLE: {
    says: () => "The provider speaks another contract.",
    next: "It must speak context-provider.v1.",
  },
  NOT_BOUND: {
    says: () => "Nobody was asked: the binding has no entry for the provider.",
    next: "Add it to the Deployment Binding; loopx context check says what is missing.",
  },
  INVALID_REQUEST: {
    says: ({ key }) => `Nobody was asked: the value of ${key} may not be sent to the provider.`,
    next: "The project's pattern says which values may.",
  },
  NOT_EVALUATED: { says: () => "Nobody was asked: the time of the turn was over.", next: "Other providers took it." },
};
