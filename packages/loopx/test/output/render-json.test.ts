import { describe, expect, test } from "vitest";
import { renderJson } from "../../src/output/render-json.ts";

const packet = { ok: true, text: "a\u202e\u009b2J\u2028\u001b[0m 中 👩‍💻" };

describe("renderJson", () => {
  test("is minified for programs", () => {
    expect(renderJson(packet, false)).toBe('{"ok":true,"text":"a\u202e\u009b2J\u2028\\u001b[0m 中 👩‍💻"}\n');
  });

  test("is indented and harmless on a terminal, and still the same document", () => {
    const text = renderJson(packet, true);
    expect(text).toBe('{\n  "ok": true,\n  "text": "a\\u202e\\u009b2J\\u2028\\u001b[0m 中 👩‍💻"\n}\n');
    expect(JSON.parse(text)).toEqual(packet);
  });

  test("writes a Windows path as valid JSON", () => {
    expect(renderJson({ path: String.raw`C:\new\users` }, false)).toBe(`${String.raw`{"path":"C:\\new\\users"}`}\n`);
  });
});
