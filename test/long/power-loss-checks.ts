import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { toInstant } from "@loopx/contracts";
import { findTraceFaults, TRACE_MIGRATIONS } from "@loopx/runtime-context";
import { openSqlite } from "@loopx/store";
import { expect } from "vitest";
import type { World } from "../support/cli-world.ts";
import { recordDisk, type DiskCall, type DiskLog } from "../support/disk-log.ts";
import { DiskModel, LOSSES } from "../support/disk-model.ts";
import { readStores } from "../support/open-stores.ts";

/** Moments at which the power goes, of one command. */
const MOMENTS = 16;

/** What came of the power losses of one command. */
export interface LossCount {
  readonly states: number;
  /** States in which the change was there, and those in which it was not. */
  readonly kept: number;
  readonly absent: number;
}

type LookAt = (folder: string, isReported: boolean, place: string) => Promise<"kept" | "absent">;

/** Loses power at one call after the other, and looks at each disk that may be left. */
async function losePower(from: string, before: DiskModel, { calls }: DiskLog, look: LookAt): Promise<LossCount> {
  const count = { states: 0, kept: 0, absent: 0 };
  const step = Math.max(1, Math.floor(calls.length / MOMENTS));
  for (const [index, call] of calls.entries()) {
    before.apply(call);
    const isDecisive = call.kind !== "write" && call.kind !== "truncate" && call.kind !== "create";
    if (!isDecisive && index % step !== 0 && index < calls.length - 1) continue;
    for (const loss of LOSSES) {
      const folder = mkdtempSync(join(tmpdir(), "loopx-power-"));
      try {
        before.writeTo(folder, from, loss);
        const place = `power lost after ${index + 1} of ${calls.length} calls (${describe(call, from)}), ${loss}`;
        count[await look(folder, before.isReported, place)] += 1;
        count.states += 1;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }
  return count;
}

function describe(call: DiskCall, from: string): string {
  return call.kind === "reported" ? call.kind : `${call.kind} ${relative(from, call.path)}`;
}

/** A command on the project's store and the home's: after any power loss both are whole, and what was reported is there. */
export async function loseCommand(world: World, args: readonly string[]): Promise<LossCount> {
  const isConnected = existsSync(join(world.project, ".loopx", "state.db"));
  const before = isConnected ? (await readStores(world)).events : [];
  const disk = new DiskModel(world.directory);
  const log = await recordDisk(world, args);
  const after = (await readStores(world)).events;
  return losePower(world.directory, disk, log, async (folder, isReported, place) => {
    const [project, loopxHome] = [world.project, world.loopxHome].map((path) =>
      join(folder, relative(world.directory, path)),
    );
    const isThere = existsSync(join(project ?? "", ".loopx", "state.db"));
    if (!isThere && !isConnected && !isReported) return "absent";
    const { events, faults } = await readStores({ project: project ?? "", loopxHome: loopxHome ?? "" });
    // A store that no bootstrap has finished is taken up by the next one.
    const isUnfinished = !isConnected && !isReported && events.length === 0;
    expect(faults, place).toEqual(isUnfinished ? faults.filter((fault) => fault === UNFINISHED) : []);
    expect(
      events.every((event) => after.includes(event)) && before.every((event) => events.includes(event)),
      place,
    ).toBe(true);
    if (isReported) expect(events.length, `${place}: reported, but lost`).toBe(after.length);
    return events.length === after.length ? "kept" : "absent";
  });
}

/** A turn whose trace is required: after any power loss the store is whole, and the trace of a turn that was answered is there. */
export async function loseTurn(
  place: { readonly world: World; readonly folder: string; readonly env: Readonly<Record<string, string>> },
  args: readonly string[],
): Promise<LossCount> {
  const path = join(place.folder, "traces", "traces.db");
  const before = existsSync(path) ? await countTraces(path) : 0;
  const disk = new DiskModel(place.world.directory);
  const log = await recordDisk(place.world, args, { cwd: place.folder, env: place.env });
  const after = await countTraces(path);
  return losePower(place.world.directory, disk, log, async (folder, isReported, moment) => {
    const copy = join(folder, relative(place.world.directory, path));
    if (!existsSync(copy) && before === 0 && !isReported) return "absent";
    expect(await findTraceFaults(copy, { label: "traces", now }), moment).toEqual([]);
    const count = await countTraces(copy);
    expect([before, after], moment).toContain(count);
    if (isReported) expect(count, `${moment}: answered, but not recorded`).toBe(after);
    return count === after ? "kept" : "absent";
  });
}

const UNFINISHED = "project: 1 not one identity";

const now = (): ReturnType<typeof toInstant> => toInstant(Date.now());

async function countTraces(path: string): Promise<number> {
  const options = {
    path,
    label: "traces",
    access: "write",
    journal: "wal",
    migrations: TRACE_MIGRATIONS,
    now,
  } as const;
  const database = await openSqlite(options);
  try {
    return (await database.read((tx) => tx.all("SELECT trace_id FROM traces"))).length;
  } finally {
    await database.close();
  }
}
