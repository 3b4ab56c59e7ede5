import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createWorld } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";

// What the guide tells somebody to do first, done: with the files that `context init` writes and the program it prints.
const GUIDE = readFileSync(join(import.meta.dirname, "../../../docs/guides/context.md"), "utf8");
const TOKEN = "a-secret-of-this-test";
const world = createWorld();
afterAll(() => world.remove());

/** The guide's provider as it is printed there, on a port that is free. */
async function startGuidesProvider(): Promise<string> {
  const [, printed = ""] = /^```js\n(.*?)^```/ms.exec(GUIDE) ?? [];
  const listening = '.listen(0, "127.0.0.1", function () { console.log(this.address().port); })';
  const program = printed.replace('.listen(8787, "127.0.0.1")', () => listening);
  expect(program).toContain(listening);
  const file = join(world.directory, "provider.mjs");
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env["PATH"], CRM_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve) => {
    child.stdout.once("data", (port: Buffer) => resolve(`http://127.0.0.1:${port.toString().trim()}/context`));
  });
}

describe("the first steps of the guide", () => {
  test("lead to tests that pass and to a preview of a whole turn", async () => {
    expect(await world.run(["context", "init", "--output=desk", "--id=desk"])).toMatchObject({ exitCode: 0 });
    expect(await world.run(["context", "test", "--project=desk"])).toMatchObject({ exitCode: 0 });
    const asked = /loopx (context preview .*?)\n```/s.exec(GUIDE)?.[1]?.split(/[\s\\]+/) ?? [];
    expect(await world.run(asked)).toMatchObject({ exitCode: 0, json: { outcome: "READY" } });
  });

  test("grow to a thousand tests, written as the first ones are, that run and are compared in one go", async () => {
    await world.run(["context", "init", "--output=many", "--id=many"]);
    const file = join(world.project, "many", "context.project.json");
    const project = JSON.parse(readFileSync(file, "utf8")) as { tests: object[] };
    const tests = Array.from({ length: 1000 }, (_, at) => ({ ...project.tests[0], id: `test-${at}` }));
    writeFileSync(file, JSON.stringify({ ...project, tests }, null, 2));
    expect(await world.run(["context", "test", "--project=many"])).toMatchObject({
      json: { counts: { passed: 1000 } },
    });
    await world.run(["context", "build", "--project=many", "--output=many-builds"]);
    const compared = ["--baseline=many-builds/current", "--candidate=many-builds/current"];
    expect(await world.run(["context", "regress", "--project=many", ...compared])).toMatchObject({
      exitCode: 0,
      json: { counts: { total: 1000, unchanged: 1000 } },
    });
  });

  test("have a provider that keeps its contract, as the command beside it shows", async () => {
    const url = await startGuidesProvider();
    const asked = /loopx (context provider check http.*?)\n```/s.exec(GUIDE)?.[1]?.split(/[\s\\]+/) ?? [];
    const report = await world.run(
      asked.map((word) => (word.startsWith("http:") ? url : word)),
      { env: { CRM_TOKEN: TOKEN } },
    );
    expect([report.exitCode, readField(report.json, "failed_count"), readField(report.json, "skipped_count")]).toEqual([
      0, 0, 0,
    ]);
  });

  test("are numbered in their order", () => {
    const numbers = [...GUIDE.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test("come again for another id: what is in the way of the same one is said with its place", async () => {
    await world.run(["context", "init", "--output=shop", "--id=shop"]);
    expect(await world.run(["context", "init", "--output=shop2", "--id=shop"])).toMatchObject({
      json: { error: { message: "the binding shop is in the LoopX home already; nothing was written" } },
    });
  });
});
