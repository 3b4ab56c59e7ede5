/** An advisory provider in a POSIX shell and jq, which refuses what it cannot read with an exit code of its own. */
export function renderShellProvider(id: string): string {
  return String.raw`#!/bin/sh
# Answers from the paragraphs of notes.txt: one JSON object on stdin, one on stdout. Needs jq.
notes=$(dirname "$0")/notes.txt

if [ "$1" = --doctor ]; then
  command -v jq >/dev/null && [ -r "$notes" ]
  exit
fi

exec jq --compact-output --slurp --rawfile notes "$notes" --arg scope "notes:${id}" '
  def words: ascii_downcase | [splits("[^a-z0-9]+")] | map(select(. != "")) | unique;
  def text: type == "string";
  def answer($status; $reason; $items):
    { schema_version: "decision_context_advisory_retrieve_response_v0",
      ok: true, status: $status, reason_code: $reason, items: $items };

  if length == 1 then .[0] else error("one object is expected") end
  | if type == "object"
      and keys == ["max_results", "namespace", "observed_at", "operation", "query", "query_summary",
                   "schema_version", "scope_ref", "timeout_seconds"]
      and .schema_version == "decision_context_advisory_retrieve_request_v0"
      and .operation == "retrieve"
      and ([.namespace, .observed_at, .query, .query_summary, .scope_ref] | all(text))
      and ([.max_results, .timeout_seconds] | all(type == "number"))
      and .max_results >= 1 and .max_results <= 8 and .max_results == (.max_results | floor)
      and .timeout_seconds >= 1 and .timeout_seconds <= 120
    then . else error("this is no retrieve request") end
  | .max_results as $limit
  | (.query | words) as $asked
  | if .scope_ref != $scope then answer("unavailable"; "scope_unsupported"; [])
    else
      [ $notes | split("\n\n") | to_entries[]
        | (.value | words) as $there
        | ($asked | map(select(. as $word | $there | index($word))) | length) as $shared
        | select($shared > 0)
        | { resource_ref: "note-\(.key + 1)", summary: "Note \(.key + 1)",
            content: (.value | rtrimstr("\n")), score: ($shared / ($asked | length)) } ]
      | sort_by(-.score) | answer("completed"; null; .[:$limit])
    end
'
`;
}
