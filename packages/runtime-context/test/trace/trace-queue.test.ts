import { expect, test } from "vitest";
import type { RetainedContent } from "../../src/trace/retain-content.ts";
import { TraceQueue } from "../../src/trace/trace-queue.ts";
import type { WrittenTrace } from "../../src/trace/trace-rows.ts";
import { createRing, createTrace } from "./sample-trace.ts";

const MEBIBYTE = "x".repeat(1_048_576);

function createWritten(sealed: string): WrittenTrace {
  const content: RetainedContent = {
    provider: "customer-data",
    deployment: "production",
    keyId: "key_a",
    sealed,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
    expiresAt: "2026-12-30T12:00:00.000Z" as RetainedContent["expiresAt"],
    quotaBytes: 2 ** 30,
  };
  return { trace: createTrace(), contents: [content], writer: { ring: createRing(), writer: "desk" } };
}

test("kept contents that wait for a slow store take 64 MiB at most, and room is made as they are written", async () => {
  const held: (() => void)[] = [];
  let isSlow = true;
  const queue = new TraceQueue(async () => {
    if (isSlow) await new Promise<void>((resolve) => held.push(resolve));
  });
  const written = createWritten(MEBIBYTE);
  for (let count = 0; count < 80; count += 1) await queue.hand(written, false);
  expect(queue.status).toMatchObject({ pendingCount: 63, lostCount: 17, lastLossCode: "store_busy" });
  isSlow = false;
  for (const letGo of held) letGo();
  await queue.flush();
  expect(queue.status).toMatchObject({ storedCount: 63, pendingCount: 0, lostCount: 17 });
  expect(await queue.hand(written, true)).toBeUndefined();
  expect(await queue.hand(createWritten(MEBIBYTE.repeat(65)), true)).toBeUndefined();
});
