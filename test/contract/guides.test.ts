import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifies } from "../support/verifies.ts";
import { findRefusedCommands } from "../support/printed-commands.ts";

const root = join(import.meta.dirname, "..", "..");
const PAGES = [
  "README.md",
  ...["concepts", "guides"].flatMap((folder) =>
    readdirSync(join(root, "docs", folder)).map((name) => `docs/${folder}/${name}`),
  ),
  "docs/operations.md",
  "docs/security.md",
  "examples/support-desk/README.md",
  "packages/provider-sdk/README.md",
];

test.each(PAGES)("every loopx command in %s is one that the parser takes", (page) => {
  const commands = listCommands(readFileSync(join(root, page), "utf8"));
  expect(commands).not.toEqual([]);
  expect(findRefusedCommands(commands)).toEqual([]);
});

/** Whole command lines: in blocks, joined where a backslash continues them, in steps of a workflow, and in inline code with a flag. */
function listCommands(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^ *```(?:sh|yaml)\n(.*?)^ *```/gms)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/ *\\\n */g, " ").split("\n"));
  const inline = [...markdown.matchAll(/`(loopx [^`\n]* --[^`\n]*)`/g)].map(([, command = ""]) => command);
  return [
    ...lines.map((line) =>
      line
        .trim()
        .replace(/^- run: /, "")
        .replace(/ +(?:#|\||&&?|>)(?: .*)?$/, ""),
    ),
    ...inline,
  ].filter((line) => line.startsWith("loopx "));
}

test("guide and workflow skill tell both tasks of a deep link what is theirs to do, in English and in Chinese", async () => {
  verifies("deep-link.both-sides-are-told");
  const guide = readFileSync(join(root, "docs/guides/deep-links.md"), "utf8");
  const skill = readFileSync(join(root, "integrations/codex/skills/loopx-project/SKILL.md"), "utf8");
  for (const text of [guide, skill]) {
    for (const told of [
      /bind your own lane first/i,
      /who does what|what you do, what the other does/i,
      /relay what it needs|ask for its context/i,
      /a worktree each/i,
      /先绑定自己的 lane/,
      /分工/,
      /写明上下文|直接写给它/,
      /各用一个(?:独立的)? worktree/,
    ]) {
      expect(text).toMatch(told);
    }
  }
});

test("the guide lists every field of a project, and marks those that must be there", () => {
  const guide = readFileSync(join(root, "docs/guides/context.md"), "utf8");
  const table = guide.slice(guide.indexOf("| in  "), guide.indexOf("Editors complete"));
  const listed = table.split("\n").flatMap((line) => {
    const [, places = "", fields = ""] = line.split("|");
    const prefixes =
      places.trim() === "the project" ? [""] : [...places.matchAll(/`([^`]+)`/g)].map(([, at]) => `${at}[].`);
    const names = [...fields.matchAll(/(\*\*)?`([^`]+)`/g)];
    return prefixes.flatMap((prefix) =>
      names.map(([, bold, name]) => `${prefix}${name}${bold === undefined ? "" : " *"}`),
    );
  });
  const schema = JSON.parse(
    readFileSync(join(root, "docs/reference/context-project.schema.json"), "utf8"),
  ) as JsonSchema;
  // Inside of these an editor's schema says enough.
  const declared = listFields(schema, "").filter(
    (field) => !/^(?:tests\[\]\.providers|profiles\[\]\.budget\.tokens)\./.test(field),
  );
  expect(listed.map((field) => field.replace(/(budget|lookup)\[\]/, "$1")).toSorted()).toEqual(declared.toSorted());
});

test("the guide names every field of a binding", () => {
  const guide = readFileSync(join(root, "docs/guides/context.md"), "utf8");
  const section = guide.slice(guide.indexOf("## 4. A binding"), guide.indexOf("## 5."));
  const schema = readFileSync(join(root, "docs/reference/context-binding.schema.json"), "utf8");
  const names = new Set<string>();
  JSON.parse(schema, (key, value: unknown) => {
    if (key === "properties" && typeof value === "object") for (const name of Object.keys(value ?? {})) names.add(name);
    return value;
  });
  expect([...names].filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  expect(names.size).toBeGreaterThan(15);
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** What holds itself is listed once: `followed` are the definitions that the prefix is inside of. */
function listFields(schema: JsonSchema, prefix: string, { $defs = schema.$defs, followed = [""] } = {}): string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, inner]) => {
    const { items } = inner;
    const definition = items?.$ref?.replace("#/$defs/", "") ?? "";
    const member = definition === "" || followed.includes(definition) ? items : $defs?.[definition];
    const inside = { ...($defs === undefined ? {} : { $defs }), followed: [...followed, definition] };
    return [
      `${prefix}${name}${required.includes(name) ? " *" : ""}`,
      ...listFields(inner, `${prefix}${name}.`, inside),
      ...(member === undefined ? [] : listFields(member, `${prefix}${name}[].`, inside)),
    ];
  });
}

test("the workflow that the guide shows is the file among the examples", () => {
  const guide = readFileSync(join(root, "docs/guides/context-in-ci.md"), "utf8");
  const [, shown] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  expect(readFileSync(join(root, "examples/ci/context.yml"), "utf8")).toBe(shown);
});

test("every relative link in a document leads to a file", () => {
  const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md", "CHANGELOG.md"].concat(
    readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  );
  const broken = documents.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, document, "..", target)))
      .map((target) => `${document}: ${target}`),
  );
  expect(broken).toEqual([]);
});
