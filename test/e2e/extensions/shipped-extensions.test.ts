import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { runProgram } from "../../support/run-program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

let world: World;

beforeAll(() => {
  world = createWorld();
});
afterAll(() => world.remove());

test("what ships beside the program is installed by its name alone, and asked from there", async () => {
  const copy = join(world.directory, "installed");
  const own = dirname(dirname(world.program));
  for (const name of ["bin", "dist"]) cpSync(join(own, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const shipped = join(copy, "dist", "extensions", "session-history");
  mkdirSync(dirname(shipped), { recursive: true });
  cpSync(join(ROOT, "examples", "advisory-providers", "python"), shipped, { recursive: true });
  const there = { ...world, program: join(copy, "bin", "loopx.cjs") };
  const token = await createOwnerToken(there);
  const run = (words: readonly string[]): Promise<unknown> => runCopy(there.program, words);
  const words = ["extension", "install", "--bundled=session-history"];
  expect(await run(words)).toMatchObject({ next: ["loopx extension install --bundled=session-history --execute"] });
  expect(await run([...words, "--execute", `--owner-token-file=${token}`])).toMatchObject({
    changed: true,
    doctor: { verified: true },
  });
  expect(await run(["extension", "list"])).toMatchObject({ extensions: [{ doctor_verified: true }] });
});

async function runCopy(program: string, words: readonly string[]): Promise<unknown> {
  const { json } = await runProgram(process.execPath, [program, "--json", ...words], {
    cwd: world.project,
    env: world.env,
  });
  return json;
}

test("the examples keep their contract, and are what extension init writes", async () => {
  const examples = join(import.meta.dirname, "..", "..", "..", "examples", "advisory-providers");
  for (const language of ["python", "shell"]) {
    const example = join(examples, language);
    const env = { PATH: process.env["PATH"] ?? "" };
    const checked = await world.run(["extension", "check", example, "--scope-ref", `notes:notes-${language}`], { env });
    expect([language, checked.exitCode, checked.json]).toMatchObject([language, 0, { ok: true, failed_count: 0 }]);
    const words = ["extension", "init", `notes-${language}`, "--language", language, "--destination", language];
    await world.call([...words, "--execute"]);
    for (const name of readdirSync(join(world.project, language))) {
      const written = readFileSync(join(world.project, language, name), "utf8");
      expect(readFileSync(join(example, name), "utf8")).toBe(written);
    }
  }
});
