import type { CommandRecord } from "./command-spec.ts";
import { EXECUTE, REQUIRED_AGENT_ID, REQUIRED_GOAL_ID, THREAD_ID } from "./shared-flags.ts";

const PROFILE = {
  type: "path",
  placeholder: "FILE",
  describe: "the goal's private profile, mode 0600",
} as const;

const REQUIRED_PROFILE = { ...PROFILE, required: true } as const;

const OBSERVED_AT = {
  type: "instant",
  placeholder: "TIME",
  describe: "time that the packets carry; now unless given",
} as const;

const DECISION_ID = {
  type: "text",
  placeholder: "DECISION",
  describe: "name of the decision, yours to choose",
  required: true,
} as const;

/** What a look at the sources needs. */
const ASSEMBLY_FLAGS = {
  goalId: REQUIRED_GOAL_ID,
  agentId: REQUIRED_AGENT_ID,
  profile: REQUIRED_PROFILE,
  decisionId: DECISION_ID,
  sourceId: { type: "text", placeholder: "SOURCE", describe: "only this source, on demand too", repeatable: true },
  observedAt: OBSERVED_AT,
  before: {
    type: "instant",
    placeholder: "TIME",
    describe: "a source that is newer counts as not read; the same time unless given",
  },
  scanTimeout: {
    type: "integer",
    placeholder: "SECONDS",
    describe: "for each source, 10 unless given",
    min: 1,
    max: 120,
  },
  query: { type: "text", placeholder: "TEXT", describe: "what recall looks for; reaches the provider only" },
  querySummary: { type: "text", placeholder: "TEXT", describe: "public words for it in the receipt" },
} as const;

/** Recall, evidence, review: what was said and decided before, and what is decided on it. */
export const DECISION_COMMANDS = {
  "decision-context init-profile": {
    summary: "Write a profile that turns decision context on for a goal",
    details:
      "The profile is private and yours: LoopX never changes it again. It is off for every agent it does not name.",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: { ...REQUIRED_AGENT_ID, describe: "lane that may use it; the file takes others too" },
      output: { type: "path", placeholder: "FILE", describe: "new file, outside of the repository", required: true },
      extensionId: {
        type: "text",
        placeholder: "EXTENSION",
        describe: "recall by exactly this extension; else by the only one that is ready",
      },
      sourceFile: { type: "path", placeholder: "FILE", describe: "text file that decisions have to agree with" },
      execute: EXECUTE,
    },
    examples: [
      "loopx decision-context init-profile --goal-id repo-goal --agent-id codex-main --output ~/.loopx-decisions.json --execute",
    ],
  },
  "decision-context inspect-profile": {
    summary: "Say whether decision context is on for an agent, and what is wrong",
    authority: "read",
    flags: { goalId: REQUIRED_GOAL_ID, agentId: REQUIRED_AGENT_ID, profile: PROFILE },
    examples: [
      "loopx decision-context inspect-profile --goal-id repo-goal --agent-id codex-main --profile ~/.loopx-decisions.json",
    ],
  },
  "decision-context recall-context": {
    summary: "Ask once what a past session said; kept nowhere, never an instruction",
    details:
      "Needs a profile that names goal and agent, and an extension that is ready. Whatever fails is an unavailable answer " +
      "with exit code 0. What is recalled becomes lasting only as a todo, evidence, a goal edit or a settled review.",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      profile: PROFILE,
      threadLink: { type: "text", placeholder: "LINK", describe: "deep link of the Codex task to ask about" },
      contextScopeRef: {
        type: "text",
        placeholder: "SCOPE",
        describe: "scope to ask about, as host-session:HOST:ID",
      },
      query: {
        type: "text",
        placeholder: "TEXT",
        describe: "what to look for; reaches the provider only",
        required: true,
      },
      querySummary: {
        type: "text",
        placeholder: "TEXT",
        describe: "public words for it in the receipt; one-off recall unless given",
      },
      maxResults: { type: "integer", placeholder: "COUNT", describe: "items at most; more than 8 is 8", min: 1 },
      timeoutSeconds: { type: "text", placeholder: "SECONDS", describe: "1 to 120, fractions too" },
      observedAt: OBSERVED_AT,
    },
    chooseOne: [{ from: ["threadLink", "contextScopeRef"], required: true }],
    examples: [
      "loopx decision-context recall-context --goal-id repo-goal --agent-id codex-main --profile ~/.loopx-decisions.json --thread-link codex://threads/019e8951-3e7d-7343-a3e3-05bff48a317d --query 'bounded pilot'",
    ],
  },
  "decision-context source-manifest": {
    summary: "List the sources that decisions of a goal rest on, without where they are",
    authority: "read",
    flags: { goalId: REQUIRED_GOAL_ID, agentId: REQUIRED_AGENT_ID, profile: REQUIRED_PROFILE, observedAt: OBSERVED_AT },
    examples: [
      "loopx decision-context source-manifest --goal-id repo-goal --agent-id codex-main --profile ~/.loopx-decisions.json",
    ],
  },
  "decision-context prepare-evidence": {
    summary: "Read a goal's sources and recall beside them; show what changed",
    details: "Neither stops the other: a source or a recall that fails is said so in the evidence. Nothing is stored.",
    authority: "read",
    flags: ASSEMBLY_FLAGS,
    examples: [
      "loopx decision-context prepare-evidence --goal-id repo-goal --agent-id codex-main --profile ~/.loopx-decisions.json --decision-id adopt-pilot",
    ],
  },
  "decision-context prepare-review": {
    summary: "Put evidence and a proposal before the goal's owner",
    details:
      "Each change that was read is named in the rebase as a fact, a claim, a rejection or part of a conflict. What is " +
      "recalled counts only where an authority says the same. A proposal opens a gate; without one nothing may have changed. " +
      "The rebase lists changed_facts, recalled_claims, stale_or_rejected_claims and conflicts, or is " +
      '{"semantic_no_change": true}. The proposal holds objective_scores, recommended_decision and alternatives.',
    authority: "agent",
    flags: {
      ...ASSEMBLY_FLAGS,
      rebaseJson: { type: "path", placeholder: "FILE", describe: "what you make of each change" },
      proposalJson: { type: "path", placeholder: "FILE", describe: "what you recommend" },
      threadId: THREAD_ID,
      execute: EXECUTE,
    },
    examples: [
      "loopx decision-context prepare-review --goal-id repo-goal --agent-id codex-main --profile ~/.loopx-decisions.json --decision-id adopt-pilot --rebase-json rebase.json --proposal-json proposal.json --execute",
    ],
  },
  "decision-context settle-review": {
    summary: "Settle a prepared review by its gate; what was read counts as read",
    details:
      "Event and cursors are written together or not at all. Approval and rejection settle; a deferred gate may be settled " +
      "later. The same again changes nothing.",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      profile: REQUIRED_PROFILE,
      decisionId: DECISION_ID,
      actorRef: { type: "text", placeholder: "NAME", describe: "who settles it, for the record; you unless given" },
      reasonCode: { type: "text", placeholder: "WORD", describe: "why, in one word", required: true },
      summary: { type: "text", placeholder: "TEXT", describe: "public words for what was decided", required: true },
      threadId: THREAD_ID,
      execute: EXECUTE,
    },
    examples: [
      "loopx decision-context settle-review --goal-id repo-goal --agent-id codex-main --profile ~/.loopx-decisions.json --decision-id adopt-pilot --reason-code owner-approved --summary 'The pilot goes on' --execute",
    ],
  },
  "decision-context record-outcome": {
    summary: "Record what came of an approved decision",
    details:
      "The outcome holds verification_status (pending, verified, refuted or inconclusive) and accepted_decision (option_id, " +
      "summary, accepted_by, accepted_at), and may list observed_outcomes, resulting_transitions and invalidated_assumptions.",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      decisionId: DECISION_ID,
      outcomeJson: { type: "path", placeholder: "FILE", describe: "what was observed", required: true },
      threadId: THREAD_ID,
      execute: EXECUTE,
    },
    examples: [
      "loopx decision-context record-outcome --goal-id repo-goal --agent-id codex-main --decision-id adopt-pilot --outcome-json outcome.json --execute",
    ],
  },
} as const satisfies CommandRecord;
