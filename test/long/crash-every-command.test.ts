import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasStrace } from "../support/system-calls.ts";
import { EVERY_WRITE, type KilledCommand } from "./every-command-cases.ts";
import { killCommand, openBusyDesk, type BusyDesk, type KillCount } from "./every-command-checks.ts";

const COMMANDS = Object.entries(EVERY_WRITE).flatMap(([name, entry]) =>
  typeof entry === "string" ? [] : [{ name, entry }],
);

/** One for each core: a command has its desk for itself. */
const DESKS = 2;

describe.skipIf(!hasStrace)("every command that writes, killed at system calls", () => {
  const free: BusyDesk[] = [];
  const counts: KillCount[] = [];
  beforeAll(async () => {
    for (let desk = 0; desk < DESKS; desk += 1) free.push(await openBusyDesk());
  });
  afterAll(() => {
    for (const desk of free) desk.remove();
  });

  const kill = async (name: string, entry: KilledCommand): Promise<void> => {
    const desk = free.pop();
    if (desk === undefined) throw new Error("more commands at once than desks");
    try {
      const count = await killCommand(desk, name, entry);
      expect(count.kills, name).toBeGreaterThan(2);
      counts.push(count);
    } finally {
      free.push(desk);
    }
  };

  describe("one after the other on each desk", () => {
    test.concurrent.each(COMMANDS)("$name leaves its change whole or absent, and goes on", ({ name, entry }) =>
      kill(name, entry),
    );
  });

  test("kills came before commits and after them", () => {
    expect([sum(counts, "kept") > COMMANDS.length / 2, sum(counts, "absent") > COMMANDS.length / 2]).toEqual([
      true,
      true,
    ]);
  });
});

function sum(counts: readonly KillCount[], which: keyof KillCount): number {
  return counts.reduce((total, count) => total + count[which], 0);
}
