import { describe, expect, inject, test } from "vitest";
import { renderSoak } from "./soak/render-soak.ts";
import { runSoak, type SoakOptions } from "./soak/run-soak.ts";

const server = inject("postgres");

/** `LOOPX_SOAK=full` is thirty agents at two hundred goals for eight minutes; `LOOPX_SOAK_SEED` walks another way. */
const isFull = process.env["LOOPX_SOAK"] === "full";
const OPTIONS: SoakOptions = {
  agents: isFull ? 30 : 8,
  goals: isFull ? 200 : 20,
  seconds: Number(process.env["LOOPX_SOAK_SECONDS"] ?? (isFull ? 480 : 45)),
  seed: Number(process.env["LOOPX_SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31)),
};

describe.each(["sqlite", "postgres"])("a soak on %s", (engine) => {
  const isThere = engine === "sqlite" || "url" in server;

  test.runIf(isThere)(
    "loses nothing and does nothing twice, whatever is killed; gc takes events and nothing else",
    async () => {
      if (engine === "postgres" && "url" in server) process.env["TESTED_STORE_URL"] = server.url;
      try {
        const outcome = await runSoak(OPTIONS);
        process.stdout.write(renderSoak(engine, OPTIONS, outcome));
        expect(outcome.faults, `seed ${OPTIONS.seed}`).toEqual([]);
        // A walk that settles nothing and is never killed shows nothing.
        expect(outcome.settledTurns).toBeGreaterThan(5);
        expect(outcome.record.kills).toBeGreaterThan(3);
        const events = outcome.growth?.bytesPerTurn.find(({ table }) => table === "events");
        expect(events?.least).toBeLessThan((events?.grown ?? 0) / 2);
      } finally {
        delete process.env["TESTED_STORE_URL"];
      }
    },
  );
});
