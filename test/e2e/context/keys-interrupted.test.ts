import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readText } from "../../support/read-field.ts";
import { runProgram } from "../../support/run-program.ts";
import { BINDING, createSupportDesk } from "../../support/support-desk.ts";
import { hasStrace } from "../../support/system-calls.ts";

const desk = await createSupportDesk();
const folder = join(desk.folder, "deployment");
const KEYSET = "support-desk.keyset.json";

afterAll(() => desk.remove());

/** Rotates, and is ended by SIGKILL as it enters a system call. */
async function rotateKilledAt(call: string): Promise<void> {
  const injection = `inject=${call}:signal=KILL:when=1`;
  const words = ["-f", "-o", "/dev/null", "-e", injection, process.execPath, desk.world.program];
  await runProgram("strace", [...words, "context", "keys", "rotate", BINDING], { cwd: desk.folder, env: desk.env });
}

const listKeysetFiles = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith(KEYSET));

describe.skipIf(!hasStrace)("a rotation that is killed", () => {
  test.each(["fchmod", "fsync", "rename"])("at %s leaves one file, which the next rotation names", async (call) => {
    const before = readFileSync(join(folder, KEYSET), "utf8");
    await rotateKilledAt(call);
    expect(readFileSync(join(folder, KEYSET), "utf8")).toBe(before);
    expect(listKeysetFiles()).toEqual([KEYSET, `${KEYSET}.lock`]);
    const refused = await desk.run(["keys", "rotate", BINDING]);
    expect(refused).toMatchObject({ json: { error: { code: "keyset_changed" } } });
    expect(readText(refused.json, "error", "hint")).toContain(`remove ${KEYSET}.lock`);
    rmSync(join(folder, `${KEYSET}.lock`));
    expect(await desk.run(["keys", "rotate", BINDING])).toMatchObject({ exitCode: 0 });
  });

  test("leaves no copy of a key that is destroyed later", async () => {
    const keys = (await desk.run(["keys", "list", BINDING])).json;
    const [id, secret] = [readText(keys, "keys", 0, "id"), readSecret()];
    await rotateKilledAt("rename");
    expect((await desk.run(["keys", "destroy", BINDING, `--key-id=${id}`, "--execute"])).exitCode).not.toBe(0);
    rmSync(join(folder, `${KEYSET}.lock`));
    expect((await desk.run(["keys", "destroy", BINDING, `--key-id=${id}`, "--execute"])).exitCode).toBe(0);
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), "latin1")).not.toContain(secret);
  });
});

function readSecret(): string {
  return readText(JSON.parse(readFileSync(join(folder, KEYSET), "utf8")), "keys", 0, "secret");
}
