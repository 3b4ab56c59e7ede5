/** How an agent has to answer `/loopx-pr-review`: its sections, its evidence, and the head that a verdict is about. */
export const REVIEW_CONTRACT = {
  schema_version: "pr_review_agent_response_contract_v0",
  table_only_response_allowed: false,
  slash_prefix_dominates_intent: true,
  queue_table_role: "preface_only",
  stats_only_requires_explicit_opt_out: true,
  stats_only_opt_out_examples: ["stats only", "list only", "只统计", "只列出", "不要 review", "不用分析"],
  default_review_scope: "each pull request of the sequence whose review_action is not none",
  required_final_sections: [
    { id: "motivation", label: "Motivation", maps_to: "动机", words: "200-350" },
    { id: "approach", label: "Approach", maps_to: "改动思路", words: "300-500" },
    {
      id: "changes",
      label: "Concrete changes",
      maps_to: "具体改动",
      words: "450-800",
      code: "with a code walk-through",
    },
    { id: "risk", label: "Risk to main", maps_to: "对主干的风险", words: "250-500" },
    { id: "overall", label: "Overall judgement", maps_to: "我的整体评价", words: "150-300" },
  ],
  findings: {
    order: "findings first, else say that there is no blocking finding and name the residual risk",
    fields: ["severity", "trigger", "code_path", "outcome", "location", "minimum_repair", "regression_test"],
  },
  verdicts: {
    blocking_finding: "REQUEST_CHANGES",
    no_blocking_finding: "APPROVE",
    author_owned: "COMMENTED",
    merged: "a post-merge audit comment, only for a new actionable finding",
  },
  completion_gate: {
    metadata_only_verdict_allowed: false,
    symbols_for_code_at_least: 2,
    stale_head_allowed: false,
  },
  writes: "none: publishing a review needs the user's own approval",
} as const;

/** The evidence of one review; each item is `verified`, `unverified` or `not_applicable`. */
export const REVIEW_EVIDENCE = {
  schema_version: "pull_request_review_execution_contract_v1",
  statuses: ["verified", "unverified", "not_applicable"],
  always: [
    "problem_context",
    "architecture_flow",
    "changed_line_classification",
    "walkthroughs",
    "validation_matrix",
    "failure_analysis",
    "code_volume",
  ],
  code_change: ["scope_fit", "symbol_map", "typed_state_rule"],
  runtime_or_policy_contract: ["domain_neutrality"],
  default_change: ["behavior_change_disclosure"],
  obligation_contract: ["guidance_vs_obligation"],
  tests_only: ["durable_smoke_value"],
} as const;

/** The rule that ties a verdict to one commit. */
export function toHeadRule(headOid: string, recheckCommand: string): object {
  return {
    head_oid: headOid,
    recheck_command: recheckCommand,
    must_print: headOid,
    otherwise: "the head moved: drop the review and begin again with the new one",
  };
}
