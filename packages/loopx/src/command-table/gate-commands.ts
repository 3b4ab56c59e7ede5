import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import { AGENT_ID, EXPECT_SEQ, GOAL_ID, OWNER_TOKEN_FILE } from "./shared-flags.ts";

const REQUIRED_GATE_ID = {
  type: "id",
  names: "gate",
  placeholder: "GATE",
  describe: "gate the command is about",
  required: true,
} as const;

/** What only a person decides. */
export const GATE_COMMANDS = {
  "gate list": {
    summary: "List the questions that wait for an owner",
    authority: "read",
    flags: { goalId: GOAL_ID },
    examples: ["loopx gate list --goal-id importer-goal"],
  },
  "gate show": {
    summary: "Show a gate: its question and what it blocks",
    authority: "read",
    flags: { goalId: GOAL_ID, gateId: REQUIRED_GATE_ID },
    examples: ["loopx gate show --gate-id todo_7c3q8r"],
    budgetBytes: LIMITS.packetMaxBytes.gate,
  },
  "gate decide": {
    summary: "Approve, reject or put off a gate",
    authority: "owner",
    flags: {
      goalId: GOAL_ID,
      gateId: REQUIRED_GATE_ID,
      decision: {
        type: "choice",
        placeholder: "DECISION",
        describe: "the answer",
        choices: ["approve", "reject", "defer"],
        required: true,
      },
      reason: { type: "text", placeholder: "TEXT", describe: "why, for the record and the agent" },
      until: {
        type: "text",
        placeholder: "TIME",
        describe: "ask again then, a time or a duration such as 2h; with defer",
      },
      dryRun: { type: "boolean", describe: "say what it would change, and change nothing" },
      expectSeq: EXPECT_SEQ,
      agentId: { ...AGENT_ID, describe: "refused: no agent decides a gate" },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: [
      "loopx gate decide --gate-id todo_7c3q8r --decision approve --reason 'Reviewed the plan'",
      "loopx gate decide --gate-id todo_7c3q8r --decision defer --until 2h",
      "loopx gate decide --gate-id todo_7c3q8r --decision defer --until 2030-01-31T09:00:00Z",
    ],
    budgetBytes: LIMITS.packetMaxBytes.gate,
  },
  "owner token create": {
    summary: "Create an owner token, for owners without a terminal at hand",
    details:
      "Works at an interactive terminal only. The token is written to a file of mode 0600 and shown nowhere else.",
    authority: "owner",
    flags: {
      label: { type: "text", placeholder: "TEXT", describe: "what the token is for" },
      output: {
        type: "path",
        placeholder: "FILE",
        describe: "new file for the token, outside any git work tree",
        required: true,
      },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: [`loopx owner token create --label 'CI approvals' --output "$HOME/.loopx-owner-token"`],
  },
  "owner token list": {
    summary: "List owner tokens, without their secrets",
    authority: "owner",
    flags: { ownerTokenFile: OWNER_TOKEN_FILE },
    examples: ["loopx owner token list"],
  },
  "owner token revoke": {
    summary: "Revoke an owner token",
    authority: "owner",
    flags: {
      tokenId: {
        type: "id",
        names: "token",
        placeholder: "TOKEN",
        describe: "id of the token, from the list",
        required: true,
      },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: ["loopx owner token revoke --token-id token_8d2w5y"],
  },
} as const satisfies CommandRecord;
