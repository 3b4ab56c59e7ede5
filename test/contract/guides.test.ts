import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRefusedCommands } from "../support/printed-commands.ts";

const root = join(import.meta.dirname, "..", "..");
const PAGES = [
  "README.md",
  ...readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`),
  "examples/support-desk/README.md",
];

test.each(PAGES)("every loopx command in %s is one that the parser takes", (page) => {
  const commands = listCommands(readFileSync(join(root, page), "utf8"));
  expect(commands).not.toEqual([]);
  expect(findRefusedCommands(commands)).toEqual([]);
});

/** Whole command lines: in shell blocks, joined where a backslash continues them, and in inline code with a flag. */
function listCommands(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/ *\\\n */g, " ").split("\n"));
  const inline = [...markdown.matchAll(/`(loopx [^`\n]* --[^`\n]*)`/g)].map(([, command = ""]) => command);
  return [...lines.map((line) => line.trim().replace(/ +(?:#|\||&&?|>)(?: .*)?$/, "")), ...inline].filter((line) =>
    line.startsWith("loopx "),
  );
}
