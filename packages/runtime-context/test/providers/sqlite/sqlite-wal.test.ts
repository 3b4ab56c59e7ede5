import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChildDriver } from "../../../src/providers/sqlite/find-child-driver.ts";
import { LOOKUP, TURN } from "../provider-cases.ts";
import { openForWriting } from "./open-for-writing.ts";
import { bundleChild, createDatabase, createTemporaryDirectory, openClient, SUPPORT_DESK } from "./sqlite-cases.ts";

const WAL_DESK = `PRAGMA journal_mode = WAL; ${SUPPORT_DESK}`;

let child = "";
let childDirectory = "";

beforeAll(() => {
  childDirectory = mkdtempSync(join(tmpdir(), "loopx-sqlite-child-"));
  chmodSync(childDirectory, 0o755);
  child = bundleChild(childDirectory);
});

afterAll(() => rmSync(childDirectory, { recursive: true, force: true }));

/** A child that does what the given program says on its first start, and is the real one on every other. */
function createChildThatOnce(program: string): string {
  const directory = createTemporaryDirectory();
  const path = join(directory, "child-that-once.mjs");
  const marker = join(directory, "was-here");
  const source = `
    import { existsSync, writeFileSync } from "node:fs";
    import { createRequire } from "node:module";
    import { createInterface } from "node:readline";
    const driver = ${JSON.stringify(findChildDriver())};
    const openDatabase = (path) => {
      if (driver.name === "node:sqlite") return new (process.getBuiltinModule("node:sqlite").DatabaseSync)(path);
      return new (createRequire(import.meta.url)(driver.entry))(path);
    };
    const hang = () => { for (;;); };
    if (existsSync(${JSON.stringify(marker)})) await import(${JSON.stringify(child)});
    else {
      writeFileSync(${JSON.stringify(marker)}, "");
      let setup;
      createInterface({ input: process.stdin }).on("line", (line) => {
        if (setup === undefined) {
          setup = JSON.parse(line);
          process.stdout.write('{"kind":"ready"}\\n');
          return;
        }
        ${program}
      });
    }`;
  writeFileSync(path, source);
  return path;
}

describe("a lookup in a WAL database", () => {
  test("sees what stands in the WAL alone, while the writer is there", async () => {
    const database = createDatabase(WAL_DESK);
    const writer = openForWriting(database);
    writer.exec("PRAGMA wal_autocheckpoint = 0; UPDATE customers SET content = 'Fresh.' WHERE customer = 'CUST-1042'");
    const main = readFileSync(database);
    const client = openClient(child, { database });
    const first = await client.lookup(LOOKUP, TURN);
    expect(first).toMatchObject({ status: "OK", items: [{ content: "Fresh." }] });
    expect(readFileSync(database).equals(main)).toBe(true);
    writer.exec("UPDATE customers SET content = 'Fresher.' WHERE customer = 'CUST-1042'");
    const second = await client.lookup(LOOKUP, TURN);
    expect(second).toMatchObject({ items: [{ content: "Fresher." }] });
    expect(second.revision).not.toBe(first.revision);
    writer.close();
  });

  test("leaves no side file behind when no writer is there, and the database as it was", async () => {
    const database = createDatabase(WAL_DESK);
    const bytes = readFileSync(database);
    const client = openClient(child, { database });
    const first = await client.lookup(LOOKUP, TURN);
    expect(first).toMatchObject({ status: "OK" });
    expect(readdirSync(dirname(database))).toEqual(["desk.db"]);
    expect(readFileSync(database).equals(bytes)).toBe(true);
    expect((await client.lookup(LOOKUP, TURN)).revision).toBe(first.revision);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "in a folder it may not write is WAL_READ_ONLY, and no stale read",
    async () => {
      const database = createDatabase(WAL_DESK);
      chmodSync(database, 0o666);
      chmodSync(dirname(database), 0o555);
      const client = openClient(child, { database }, { runAs: { uid: 65_534, gid: 65_534 } });
      expect(await client.lookup(LOOKUP, TURN)).toMatchObject({
        status: "UNAVAILABLE",
        reason: "WAL_READ_ONLY",
        items: [],
      });
      chmodSync(dirname(database), 0o777);
      expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
    },
  );

  test("what a reader that was killed left is removed by the next lookup", async () => {
    const database = createDatabase(WAL_DESK);
    const program = createChildThatOnce("");
    const killed = `${readFileSync(program, "utf8").split("const hang")[0]}
      const database = openDatabase(${JSON.stringify(database)});
      database.prepare("SELECT count(*) FROM customers").all();
      process.kill(process.pid, "SIGKILL");`;
    writeFileSync(program, killed);
    expect(spawnSync(process.execPath, [program]).signal).toBe("SIGKILL");
    expect(existsSync(`${database}-wal`)).toBe(true);
    expect(await openClient(child, { database }).lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
    expect(readdirSync(dirname(database))).toEqual(["desk.db"]);
  });

  test("a lookup that hangs is killed at its deadline; what it left is cleared, and the next lookup works", async () => {
    const database = createDatabase(WAL_DESK);
    const entry = createChildThatOnce(`
      const database = openDatabase(setup.binding.database);
      database.prepare("SELECT count(*) FROM customers").all();
      hang();`);
    const client = openClient(entry, { database, timeoutMs: 400 });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "TIMEOUT", reason: null });
    await client.close();
    expect(readdirSync(dirname(database))).toEqual(["desk.db"]);
  });
});

describe("the child process", () => {
  test("a lookup that hangs does not hold up the event loop, and those behind it are answered", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const client = openClient(createChildThatOnce("hang();"), { database, timeoutMs: 1000 });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 10);
    const first = client.lookup(LOOKUP, TURN);
    await first;
    const second = client.lookup(LOOKUP, TURN);
    expect(await first).toMatchObject({ status: "TIMEOUT" });
    expect(await second).toMatchObject({ status: "OK" });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });

  test("lookups at one time share the child and are all answered", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const client = openClient(child, { database });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => client.lookup(LOOKUP, TURN)));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["OK"]));
  });

  test("one over the in-flight cap is BUSY at once", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const client = openClient(child, { database }, { maxInFlight: 1 });
    const first = client.lookup(LOOKUP, TURN);
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "BUSY" });
    expect(await first).toMatchObject({ status: "OK" });
  });

  test("gets no variable of our environment and cannot be reached by NODE_OPTIONS (K7)", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const witness = join(createTemporaryDirectory(), "environment.json");
    const entry = createChildThatOnce(`
      writeFileSync(${JSON.stringify(witness)}, JSON.stringify(process.env));
      process.stdout.write('{"kind":"done"}\\n');`);
    await openClient(entry, { database }).describe();
    expect(JSON.parse(readFileSync(witness, "utf8"))).toEqual({});
  });

  test.each([
    ["dies", 'process.kill(process.pid, "SIGSEGV");'],
    ["leaves", "process.exit(0);"],
    ["talks nonsense", 'process.stdout.write("nonsense\\n");'],
    ["answers with a key twice", `process.stdout.write('{"kind":"done","kind":"items"}\\n');`],
    ["never ends its line", 'process.stdout.write("x".repeat(9000000));'],
  ])("one that %s makes its lookup UNAVAILABLE, and the next has a new child", async (_name, program) => {
    const client = openClient(createChildThatOnce(program), { database: createDatabase(SUPPORT_DESK) });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "CHILD_CRASHED" });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
  });

  test("after three crashes nothing is started for a while; then one try decides (Q9)", async () => {
    const directory = createTemporaryDirectory();
    const starts = join(directory, "starts");
    const entry = join(directory, "child-that-crashes.mjs");
    writeFileSync(starts, "");
    writeFileSync(
      entry,
      `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(starts)}, "x"); process.exit(1);`,
    );
    let nowMs = 0;
    const clock = { now: () => "2026-10-09T12:00:00.000Z" as never, monotonicMs: () => nowMs };
    const client = openClient(entry, { database: createDatabase(SUPPORT_DESK) }, { clock });
    const reasons: (string | null)[] = [];
    for (let count = 0; count < 5; count += 1) reasons.push((await client.lookup(LOOKUP, TURN)).reason);
    const lookups = readFileSync(starts, "utf8").length;
    expect(reasons).toEqual(["CHILD_CRASHED", "CHILD_CRASHED", "CHILD_CRASHED", "CIRCUIT_OPEN", "CIRCUIT_OPEN"]);
    expect(lookups).toBe(3);
    nowMs = 31_000;
    expect((await client.lookup(LOOKUP, TURN)).reason).toBe("CHILD_CRASHED");
    expect(readFileSync(starts, "utf8")).toHaveLength(4);
    expect((await client.lookup(LOOKUP, TURN)).reason).toBe("CIRCUIT_OPEN");
  });

  test("a closed client answers that it is closed, and its process is gone", async () => {
    const client = openClient(child, { database: createDatabase(SUPPORT_DESK) });
    await client.lookup(LOOKUP, TURN);
    await client.close();
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "CLOSED" });
  });
});
