import { containsCredential } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCredentialRule, scanForCredential } from "../../../src/providers/answer/credential-scan.ts";
import { CREDENTIALS } from "./credential-samples.ts";

const PROSE =
  "The key account renews in March; basic support, see https://example.com/a?b=c and the token ring notes. ";

describe("the credential scan", () => {
  test.each(Object.entries(CREDENTIALS))(
    "finds a sample of %s by the same rule as the contracts package",
    (_name, sample) => {
      expect(containsCredential(sample)).toBeDefined();
      expect(findCredentialRule(sample)).toBe(containsCredential(sample));
    },
  );

  test.each(Object.entries(CREDENTIALS))("finds a sample of %s anywhere in a long text", async (_name, sample) => {
    for (const before of [0, 511, 4095, 30_000]) {
      const text = `${PROSE.repeat(400).slice(0, before)} ${sample} ${PROSE.repeat(20)}`;
      expect(await scanForCredential(text)).toBe(containsCredential(text));
    }
  });

  test("agrees with the contracts package on texts made of samples, near misses and prose", () => {
    const nearMiss = fc.constantFrom(
      "password",
      "token:",
      "sk-learn",
      "task-1",
      "Bearer of news",
      "://@",
      "secret=<yours>",
      "gh",
      "eyJ",
      "-u x",
      "api key =",
      "Basic understanding",
      "authorization:",
      "Cookie: ",
      "--my-api-key ",
      "--",
      "：",
      "密码",
      "private key",
      "AKIA",
      "SG.",
      "Qz7Hq2Wm4Xv8Bn1",
      "İ",
      "\n",
      "=",
    );
    const piece = fc.oneof(
      fc.constantFrom(...Object.values(CREDENTIALS)),
      fc.constantFrom(...Object.values(CREDENTIALS).flatMap((text) => [text.toLowerCase(), text.toUpperCase()])),
      nearMiss,
      fc.string({ maxLength: 8 }),
      fc.constant(PROSE),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom(" ", "", "\n"), (pieces, glue) => {
        const text = pieces.join(glue);
        expect(findCredentialRule(text)).toBe(containsCredential(text));
      }),
      { numRuns: 1500 },
    );
  });

  test("agrees on every combination of two pieces joined without a space", () => {
    for (const sample of Object.values(CREDENTIALS)) {
      const text = `x${sample}`;
      expect(findCredentialRule(text)).toBe(containsCredential(text));
    }
  });

  test("hands the event loop back while it looks at a text in which everything is worth a look", async () => {
    let ticks = 0;
    const timer = setImmediate(function count() {
      ticks += 1;
      next = setImmediate(count);
    });
    let next = timer;
    expect(await scanForCredential("token: the key, password: none. ".repeat(2048))).toBeUndefined();
    clearImmediate(next);
    expect(ticks).toBeGreaterThanOrEqual(10);
  });

  test.each(Object.entries(CREDENTIALS))(
    "finds a sample of %s that invisible characters split",
    async (_name, sample) => {
      const split = Array.from(sample).join("\u200b");
      expect(findCredentialRule(split)).toBe(containsCredential(sample));
      expect(await scanForCredential(`${PROSE.repeat(40)} ${split}`)).toBe(containsCredential(`${PROSE} ${sample}`));
    },
  );

  test("prose about credentials is none", async () => {
    expect(await scanForCredential(PROSE.repeat(600))).toBeUndefined();
  });
});
