import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld } from "../../support/cli-world.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";

const world = createWorld();
const projectFile = join(world.project, "desk", "context.project.json");
const current = join(world.project, "builds", "current");
const env = { CRM_TOKEN: "anything" };
const scope = ["--objective=answer-ticket", "--consumer=support-agent"];

beforeAll(async () => {
  await world.call(["context", "init", "--output=desk", "--id=desk"]);
});
afterAll(() => world.remove());

function setMaxItems(count: number): void {
  writeFileSync(projectFile, readFileSync(projectFile, "utf8").replace(/"maxItems": \d+/, `"maxItems": ${count}`));
}

async function build(): Promise<unknown> {
  return world.call(["context", "build", "--project=desk", "--output=builds"]);
}

describe("the link to the build made last", () => {
  test("leads to each build in turn, also to one made before", async () => {
    const seen: string[] = [];
    for (const count of [3, 4, 5, 3]) {
      setMaxItems(count);
      const built = await build();
      expect(built).toMatchObject({ current: "builds/current" });
      expect(findRefusedCommands(built)).toEqual([]);
      expect(readField(built, "next", 0)).toBe("loopx context provider check --build=builds/current --binding=desk");
      expect(join("builds", readlinkSync(current))).toBe(readText(built, "build"));
      const turn = await world.call(["context", "turn", "--build=builds/current", "--binding=desk", ...scope], { env });
      expect(readText(turn, "build")).toBe(readText(built, "digest"));
      seen.push(readText(built, "digest"));
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen[3]).toBe(seen[0]);
  });

  test("is left alone where something else has its name, and that is said", async () => {
    rmSync(current);
    mkdirSync(current);
    writeFileSync(join(current, "mine.txt"), "mine");
    expect(await build()).toMatchObject({ ok: true, current: null });
    expect(readFileSync(join(current, "mine.txt"), "utf8")).toBe("mine");
    rmSync(current, { recursive: true });
    expect(await build()).toMatchObject({ current: "builds/current" });
    expect(lstatSync(current).isSymbolicLink()).toBe(true);
  });
});

async function refuse(args: readonly string[]): Promise<{ message: string; hint: string }> {
  const refused = await world.run(["context", ...args], { env });
  expect(refused).toMatchObject({ exitCode: 6, json: { error: { code: "file_not_readable" } } });
  expect(findRefusedCommands(refused.json)).toEqual([]);
  expect(refused.stdout).not.toContain(world.directory);
  return {
    message: readText(refused.json, "error", "message"),
    hint: readText(refused.json, "error", "hint"),
  };
}

describe("what isn't there is named as it was typed, with a whole command that helps", () => {
  const make = "loopx context build --output=builds '--project=<project-folder>'";
  test.each([
    ["builds/curren", "the build folder builds/curren does not exist (did you mean builds/current?)", make],
    ["builds/gone", "the build folder builds/gone is a link that leads nowhere", make],
    ["builds", "builds is a folder of builds, not a build", "--build=builds/current"],
    ["desk/layers", "desk/layers is no build: it has no manifest.json", make.replace("=builds", "=desk/layers")],
    [
      "desk/context.project.json",
      "the build folder desk/context.project.json is not a folder",
      make.replace("=builds", "=desk"),
    ],
  ])("--build=%s", async (written, message, hint) => {
    const link = join(world.project, "builds", "gone");
    if (written === "builds/gone") symlinkSync("nowhere", link);
    expect(await refuse(["turn", `--build=${written}`, "--binding=desk", ...scope])).toEqual({ message, hint });
    rmSync(link, { force: true });
  });

  const nameOne = "name a file, or a binding of the LoopX home: --binding=desk";
  test.each([
    ["nope.json", "the binding file nope.json does not exist", nameOne],
    ["./desk", "the binding file ./desk is a folder; name the file in it", nameOne],
    [
      "dusk",
      "the LoopX home has no Deployment Binding named dusk (did you mean desk?); a file of this name is ./dusk",
      "loopx context init --output=dusk --id=dusk",
    ],
  ])("--binding=%s", async (written, message, hint) => {
    expect(await refuse(["turn", "--build=builds/current", `--binding=${written}`, ...scope])).toEqual({
      message,
      hint,
    });
    expect(await refuse(["check", "--project=desk", `--binding=${written}`])).toEqual({ message, hint });
  });

  const init = "loopx context init '--output=<new-folder>' '--id=<new-id>'";
  test.each([
    ["--project=dusk", "the project folder dusk does not exist (did you mean desk?)"],
    ["--project=desk/layers", "the project folder desk/layers has no context.project.json, .jsonc or .yaml"],
    ["--quiet", "the current folder has no context.project.json, .jsonc or .yaml"],
  ])("%s", async (flag, message) => {
    expect(await refuse(["check", flag])).toEqual({ message, hint: init });
    expect(await refuse(["build", "--output=builds", flag])).toEqual({ message, hint: init });
  });
});
