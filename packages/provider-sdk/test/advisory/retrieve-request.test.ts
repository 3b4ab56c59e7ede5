import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_REQUEST_BYTES, parseRetrieveRequest } from "../../src/advisory/retrieve-request.ts";
import { someRequest, toBytes } from "./some-request.ts";

const parse = (value: unknown) => parseRetrieveRequest(toBytes(value));
const escaped = (count: number) => "\\ud83d\\ude00".repeat(count);
const faultOf = (value: unknown) => {
  const parsed = parse(value);
  return parsed.kind === "refused" ? parsed.fault : "none";
};

describe("reading a request", () => {
  test("takes the bytes of the contract's example", () => {
    const wire =
      '{"schema_version":"decision_context_advisory_retrieve_request_v0","operation":"retrieve","namespace":"peer-session","scope_ref":"host-session:codex:thread-a","query":"current implementation decision","query_summary":"peer task decision","max_results":4,"timeout_seconds":10.0,"observed_at":"2026-09-05T00:00:00+00:00"}';
    expect(parse(wire)).toEqual({ kind: "parsed", request: someRequest() });
  });

  test.each(Object.keys(someRequest()))("refuses a request without %s", (name) => {
    const { [name]: _, ...rest } = { ...someRequest() } as Record<string, unknown>;
    expect(faultOf(rest)).toBe(`${name} is missing`);
  });

  test("refuses an unknown field without repeating its name", () => {
    expect(faultOf({ ...someRequest(), "secret-name": 1 })).toBe("the request has 1 unknown field(s)");
    expect(faultOf(`{"__proto__":1,${JSON.stringify(someRequest()).slice(1)}`)).toContain("unknown field");
  });

  test.each([
    ["schema_version", ["", null, "decision_context_advisory_retrieve_request_v1"]],
    ["operation", ["sync", "Retrieve", null]],
    ["namespace", ["", "  ", 7, "n".repeat(121)]],
    ["scope_ref", ["", ["host-session:codex:a"], "s".repeat(2049)]],
    ["query", ["", "\n", {}, "q".repeat(1001)]],
    ["query_summary", ["", true, "q".repeat(221)]],
    ["max_results", [0, -1, 9, 1.5, "4", true, null]],
    ["timeout_seconds", [0.5, 0, 120.1, "10", null, true]],
    ["observed_at", ["", 0, "o".repeat(81)]],
  ])("holds %s to its bounds", (name, values) => {
    for (const value of values) expect(faultOf(someRequest({ [name]: value }))).toContain(`${name} has to be `);
  });

  test("counts code points: a thousand characters outside the basic plane are a query", () => {
    expect(parse(someRequest({ query: "😀".repeat(1000) })).kind).toBe("parsed");
    expect(parse(someRequest({ query: "😀".repeat(1001) })).kind).toBe("refused");
  });

  test("a request with every text at its bound and every character escaped is within the bytes", () => {
    const wire = JSON.stringify(
      someRequest({ namespace: "N", scope_ref: "S", query: "Q", query_summary: "U", observed_at: "O" }),
    )
      .replace('"N"', `"${escaped(120)}"`)
      .replace('"S"', `"${escaped(2048)}"`)
      .replace('"Q"', `"${escaped(1000)}"`)
      .replace('"U"', `"${escaped(220)}"`)
      .replace('"O"', `"${escaped(80)}"`);
    expect(wire.length).toBeLessThan(MAX_REQUEST_BYTES);
    expect(parse(wire).kind).toBe("parsed");
  });

  test("refuses what is no single JSON object", () => {
    const wire = JSON.stringify(someRequest());
    for (const text of ["", "null", "[]", "7", `${wire}${wire}`, `log\n${wire}`, wire.slice(0, -1), `\uFEFF${wire}`])
      expect(faultOf(text)).toBe("the request is not one JSON object");
  });

  test("refuses a field that is written twice, however it is spelled", () => {
    const wire = JSON.stringify(someRequest()).slice(1);
    expect(faultOf(`{"query":"another",${wire}`)).toBe("the request has a field twice");
    expect(faultOf(`{"qu\\u0065ry":"another",${wire}`)).toBe("the request has a field twice");
    expect(parse(someRequest({ query: 'a "quoted": colon, and \\" more":' })).kind).toBe("parsed");
  });

  test("refuses bytes that are not UTF-8, and too many of them", () => {
    const broken = toBytes(someRequest({ query: "aaaa" }));
    broken[broken.indexOf(0x61)] = 0xff;
    expect(parseRetrieveRequest(broken)).toEqual({ kind: "refused", fault: "the request is not UTF-8" });
    expect(faultOf(`${JSON.stringify(someRequest())}${" ".repeat(MAX_REQUEST_BYTES)}`)).toContain(
      "is over 65536 bytes",
    );
  });

  test("answers every text, and takes every valid query as it is", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => parse(text).kind === "refused"));
    const query = fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(query, (text) => {
        const parsed = parse(someRequest({ query: text }));
        expect(parsed).toEqual({ kind: "parsed", request: someRequest({ query: text }) });
      }),
    );
  });
});
