#!/usr/bin/env python3
"""Answers from the paragraphs of notes.txt: one JSON object on stdin, one on stdout, logs on stderr."""

import json
import re
import sys
from pathlib import Path

SCOPE = "notes:notes-python"
NOTES = Path(__file__).resolve().with_name("notes.txt")
REQUEST = "decision_context_advisory_retrieve_request_v0"
RESPONSE = "decision_context_advisory_retrieve_response_v0"
FIELDS = {
    "schema_version": str,
    "operation": str,
    "namespace": str,
    "scope_ref": str,
    "query": str,
    "query_summary": str,
    "max_results": int,
    "timeout_seconds": (int, float),
    "observed_at": str,
}


def is_request(value):
    """Exactly the fields of the contract, each of its type and within its bounds."""
    if not isinstance(value, dict) or value.keys() != FIELDS.keys():
        return False
    if any(isinstance(value[name], bool) or not isinstance(value[name], kind) for name, kind in FIELDS.items()):
        return False
    if value["schema_version"] != REQUEST or value["operation"] != "retrieve":
        return False
    return 1 <= value["max_results"] <= 8 and 1 <= value["timeout_seconds"] <= 120


def words_of(text):
    return set(re.findall(r"\w+", text.lower()))


def find_items(query, limit):
    """The notes that share a word with the query, those that share most first."""
    asked = words_of(query)
    found = []
    for number, note in enumerate(NOTES.read_text(encoding="utf-8").split("\n\n"), start=1):
        shared = len(asked & words_of(note))
        if shared > 0:
            found.append((shared / len(asked), number, note.strip()))
    found.sort(key=lambda each: (-each[0], each[1]))
    return [
        {"resource_ref": f"note-{number}", "summary": f"Note {number}", "content": note, "score": score}
        for score, number, note in found[:limit]
    ]


def answer(status, reason_code, items):
    response = {"schema_version": RESPONSE, "ok": True, "status": status, "reason_code": reason_code, "items": items}
    sys.stdout.write(json.dumps(response))
    return 0


def main():
    if sys.argv[1:] == ["--doctor"]:
        return 0 if NOTES.is_file() else 1
    try:
        request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        return 2
    if not is_request(request):
        return 2
    if request["scope_ref"] != SCOPE:
        return answer("unavailable", "scope_unsupported", [])
    return answer("completed", None, find_items(request["query"], request["max_results"]))


sys.exit(main())
