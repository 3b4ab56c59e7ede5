import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isLoopxError } from "@loopx/contracts";
import { inspectProjectDirectory, loadContextProject } from "../../src/project/load-context-project.ts";
import { scaffoldProject } from "../../src/project/scaffold-project.ts";
import { createProjectDocument, SEED_PROJECT } from "./minimal-project.ts";
import { createDirectory } from "./temporary-directory.ts";

function projectWithFiles(...paths: readonly string[]): string {
  const document = createProjectDocument() as any;
  document.layers[0].bindings.push(...paths.map((file) => ({ file })));
  return JSON.stringify(document);
}

async function check(
  files: Readonly<Record<string, string | Uint8Array>>,
  change?: (root: string) => void,
): Promise<readonly string[]> {
  const root = createDirectory(files);
  change?.(root);
  const { findings } = await inspectProjectDirectory(root);
  return findings.map(({ rule, file, line, message }) => `${rule} ${file}:${line}: ${message}`);
}

async function refusalOf(files: Readonly<Record<string, string>>): Promise<unknown> {
  const error: unknown = await loadContextProject(createDirectory(files)).catch((thrown: unknown) => thrown);
  return isLoopxError(error) ? `${error.code}: ${error.message}` : error;
}

describe("the project in a directory", () => {
  test("comes with the text of each file it names", async () => {
    const root = createDirectory({
      "context.project.json": projectWithFiles("layers/a.md"),
      "layers/a.md": "\uFEFFrules\r\n",
    });
    const { project, files, findings } = await loadContextProject(root);
    expect([project.id, [...files], findings]).toEqual(["support-desk", [["layers/a.md", "\uFEFFrules\r\n"]], []]);
  });

  test("may be reached by a link; what is inside may not", async () => {
    const root = createDirectory({ "context.project.json": SEED_PROJECT });
    const link = join(createDirectory(), "project");
    symlinkSync(root, link);
    expect((await loadContextProject(link)).project.id).toBe("support-desk");
    const found = await check({ "real.json": SEED_PROJECT }, (inside) =>
      symlinkSync("real.json", join(inside, "context.project.json")),
    );
    expect(found).toEqual(["NOT_A_PLAIN_FILE context.project.json:null: is a symbolic link"]);
  });

  test("is told everything that is wrong with its files at once", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const found = await check({
      "context.project.json": projectWithFiles("a.md", "A.md", "b.md", "c.md", "gone.md"),
      "a.md": `one\ntwo ${token}\n`,
      "A.md": "x",
      "b.md": new Uint8Array([0xff]),
      "c.md": "a\0b",
    });
    expect(found).toEqual([
      "PATH_TWIN A.md:null: is the same file as a.md where case doesn't count",
      "SECRET_IN_FILE a.md:2: holds a credential (rule github_token)",
      "NOT_TEXT b.md:null: is not UTF-8 text",
      "NOT_TEXT c.md:null: holds a NUL character",
      "NOT_READABLE gone.md:null: does not exist",
    ]);
  });

  test("is told of its files, ids and references although other parts are malformed", async () => {
    const document = createProjectDocument() as any;
    document.verion = "1.0.0";
    document.layers[0].bindings.push({ file: "gone.md" });
    document.layers[0].objectives = ["answer-tickets"];
    document.layers[0].nme = "x";
    document.profiles[0].layers.push({ layer: "no-such", rule: "optional", prio: 1 });
    document.layers.push({ id: "rules", bindings: [{ file: "layers/rules.md" }, { provider: "none" }] });
    document.profiles[0].layers.push({ layer: "rules", rule: "optional" });
    document.providers[0].maxItems = "two";
    document.providers.push({ ...document.providers[0], maxItems: 2 });
    const found = await check({ "context.project.json": JSON.stringify(document) });
    expect(found.map((line) => line.replace(/^(\S+) (\S+):\d+:/, "$1 $2:"))).toEqual([
      'UNKNOWN_KEY context.project.json: unknown key "prio"',
      'UNKNOWN_KEY context.project.json: unknown key "nme" (did you mean "name"?)',
      "MISSING context.project.json: is missing",
      "INVALID_VALUE context.project.json: must be a number",
      'UNKNOWN_KEY context.project.json: unknown key "verion" (did you mean "version"?)',
      'DUPLICATE_ID context.project.json: "customer-data" is there twice among the ids of the providers',
      'UNKNOWN_REFERENCE context.project.json: no layer has the id "no-such"',
      'UNKNOWN_REFERENCE context.project.json: no objective has the id "answer-tickets" (did you mean "answer-ticket"?)',
      "NOT_READABLE gone.md:null: does not exist",
      "NOT_READABLE layers/rules.md:null: does not exist",
    ]);
  });

  test.each(["objectives", "consumers", "profiles", "layers", "providers"])(
    "is told of a mistyped %s and of nothing that only follows from it",
    async (kind) => {
      const document = createProjectDocument() as any;
      document.tests = [{ id: "t", objective: "answer-ticket", consumer: "support-agent", profile: "support" }];
      const { [kind]: list, ...rest } = document;
      const typo = `${kind.slice(0, -1)}z`;
      const found = await check({ "context.project.json": JSON.stringify({ ...rest, [typo]: list }) });
      expect(found.map((line) => line.replace(/:\d+:/, ":"))).toEqual([
        `UNKNOWN_KEY context.project.json: unknown key "${typo}" (did you mean "${kind}"?)`,
      ]);
      const lost = await check({ "context.project.json": JSON.stringify({ ...rest, [kind]: { some: "object" } }) });
      expect(lost.map((line) => line.replace(/:\d+:/, ":"))).toEqual([
        "INVALID_VALUE context.project.json: must be a list",
      ]);
      const [first, ...others] = list;
      const { id, ...nameless } = first;
      const entries = [{ ...nameless, idd: id }, ...others];
      const mistyped = await check({ "context.project.json": JSON.stringify({ ...rest, [kind]: entries }) });
      expect(mistyped.map((line) => line.replace(/:\d+:/, ":"))).toEqual([
        'UNKNOWN_KEY context.project.json: unknown key "idd" (did you mean "id"?)',
      ]);
      const without = await check({
        "context.project.json": JSON.stringify({ ...rest, [kind]: [nameless, ...others] }),
      });
      expect(without.map((line) => line.replace(/:\d+:/, ":"))).toEqual(["MISSING context.project.json: is missing"]);
    },
  );

  test("blames no reference on an entry that is there and malformed", async () => {
    const document = createProjectDocument() as any;
    for (const kind of ["objectives", "consumers", "profiles", "layers", "providers"]) document[kind][0].extra = 1;
    document.layers[0].emptyIs = "perhaps";
    document.providers[0].name = 7;
    document.tests = [{ id: "t", objective: "answer-ticket", consumer: 7 }];
    const found = await check({ "context.project.json": JSON.stringify(document) });
    expect(found.filter((line) => !/^(?:UNKNOWN_KEY|INVALID_VALUE)/.test(line))).toEqual([]);
  });

  test("is refused when it isn't there, is there twice or is wrong", async () => {
    expect(await refusalOf({})).toMatch(/^file_not_readable: the directory has no context\.project\.json/);
    expect(await refusalOf({ "context.project.json": SEED_PROJECT, "context.project.yaml": "" })).toBe(
      "project_invalid: there are context.project.json and context.project.yaml: keep one",
    );
    expect(await refusalOf({ "context.project.json": projectWithFiles("gone.md") })).toBe(
      "project_invalid: gone.md: does not exist",
    );
  });
});

test("the scaffold is a project without a single finding", async () => {
  const { project } = scaffoldProject("my-desk");
  const loaded = await loadContextProject(createDirectory(project));
  expect([loaded.project.id, loaded.findings, loaded.project.tests.length]).toEqual(["my-desk", [], 2]);
});
