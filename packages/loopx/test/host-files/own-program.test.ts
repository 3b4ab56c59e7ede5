import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findOwnProgram } from "../../src/host-files/own-program.ts";
import { createHostWorld } from "./host-world.ts";

/** Node and LoopX in folders that an upgrade renames, and links to them in one that it keeps. */
function createPrograms(): { readonly bin: string; readonly node: string; readonly script: string } {
  const { home } = createHostWorld();
  const [bin, versioned] = [join(home, "bin"), join(home, "v 20.1")];
  mkdirSync(bin);
  mkdirSync(versioned);
  const [node, script] = [join(versioned, "node"), join(versioned, "loopx.cjs")];
  for (const file of [node, script]) writeFileSync(file, "", { mode: 0o755 });
  return { bin, node, script };
}

test("a host starts LoopX by the names on PATH that lead to the running files", () => {
  const { bin, node, script } = createPrograms();
  symlinkSync(node, join(bin, "node"));
  symlinkSync(script, join(bin, "loopx"));
  expect(findOwnProgram("user", { PATH: bin }, { node, script })).toEqual({
    shellProgram: "loopx",
    argv: [join(bin, "node"), join(bin, "loopx")],
  });
});

test("another Node or LoopX on PATH is not taken for this one", () => {
  const { bin, node, script } = createPrograms();
  for (const name of ["node", "loopx"]) writeFileSync(join(bin, name), "", { mode: 0o755 });
  expect(findOwnProgram("user", { PATH: bin }, { node, script }).argv).toEqual([node, script]);
});

test("without loopx on PATH an agent's shell gets both files, quoted", () => {
  const { node, script } = createPrograms();
  expect(findOwnProgram("user", { PATH: "" }, { node, script })).toEqual({
    shellProgram: `'${node}' '${script}'`,
    argv: [node, script],
  });
});

test("a project's files name nothing of this machine", () => {
  const { node, script } = createPrograms();
  expect(findOwnProgram("project", { PATH: "" }, { node, script })).toEqual({ shellProgram: "loopx", argv: ["loopx"] });
});
