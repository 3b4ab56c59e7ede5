import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { HOME_SCHEMA } from "../../packages/loopx/src/project/home-schema.ts";
import { PROJECT_SCHEMA } from "../../packages/loopx/src/project/project-schema.ts";
import { TRACE_MIGRATIONS } from "../../packages/runtime-context/src/trace/trace-schema.ts";

test.each([
  ["project", PROJECT_SCHEMA],
  ["home", HOME_SCHEMA],
  ["trace", TRACE_MIGRATIONS],
] as const)("every migration of the %s store says the digest of its text: a shipped one is never edited", (_, list) => {
  const digests = list.map(({ number, digest }) => ({ number, digest }));
  const texts = list.map(({ number, sql }) => ({
    number,
    digest: `sha256:${createHash("sha256").update(sql).digest("hex")}`,
  }));
  expect(digests).toEqual(texts);
});
