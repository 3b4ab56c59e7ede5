import { expect, test } from "vitest";
import { codexAgent, contentsOf, createHistoryHome } from "./history-world.ts";

const long = (at: number) => codexAgent(`pilot ${at} ${"存储\u0007".repeat(20_000)}`);

test("what comes back is bounded, however much there is", async () => {
  const home = createHistoryHome();
  try {
    home.writeCodex(
      "long",
      Array.from({ length: 20 }, (_, at) => long(at)),
    );
    const answer = await home.recall("host-session:codex:long", "pilot", { maxResults: 3 });
    const contents = contentsOf(answer);
    expect(contents).toHaveLength(3);
    for (const content of contents) expect(Array.from(content)).toHaveLength(16_000);
    const most = await home.recall("host-session:codex:long", "pilot", { maxResults: 8 });
    expect(Buffer.byteLength(JSON.stringify(most))).toBeLessThan(1_000_000);
  } finally {
    home.remove();
  }
});
