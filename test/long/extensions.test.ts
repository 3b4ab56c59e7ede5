import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createExtensionWorld,
  expectWhole,
  keepsWhatTwoDid,
  OPERATION_NAMES,
  type ExtensionWorld,
} from "./extension-checks.ts";

let world: ExtensionWorld;
beforeEach(async () => {
  world = await createExtensionWorld();
});
afterEach(() => world.remove());

const PAIRS = OPERATION_NAMES.flatMap((one, at) => OPERATION_NAMES.slice(at).map((other) => [one, other] as const));

describe("two operations on one extension", () => {
  test.each(PAIRS)("%s and %s at once are each done or fairly refused", (one, other) =>
    keepsWhatTwoDid(world, [one, other]),
  );

  test("killed at any moment leave it whole, and the next command works at once", async () => {
    for (let round = 0; round < 24; round += 1) {
      const words = world.operation(OPERATION_NAMES[round % OPERATION_NAMES.length] ?? "doctor");
      const child = spawn(process.execPath, [world.program, "--json", ...words], {
        cwd: world.project,
        env: { ...world.env },
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.on("exit", resolve));
      await pause(60 + ((round * 37) % 500));
      child.kill("SIGKILL");
      await ended;
      await expectWhole(world);
    }
    if ((await expectWhole(world)) === undefined) await world.call(world.operation("install"));
    await world.call(world.operation("disable"));
    await world.call(world.operation("enable"));
    expect(await expectWhole(world)).not.toBe(undefined);
  });
});
