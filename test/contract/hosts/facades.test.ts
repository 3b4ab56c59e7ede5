import { INSTALL_HOSTS, loadInstaller, type FileTarget, type PlanRequest } from "@loopx/host-commands";
import { describe, expect, test } from "vitest";
import { toFlagKey } from "../../../packages/loopx/src/command-line/flag-name.ts";
import { findCommand, listCommands } from "../../../packages/loopx/src/command-table/command-table.ts";
import { GLOBAL_FLAGS } from "../../../packages/loopx/src/command-table/global-flags.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";

// What agents are told to run exists: every line of a code block, every command and flag named in a sentence.

const REQUEST: PlanRequest = {
  scope: "user",
  version: "1.2.3",
  shellProgram: "loopx",
  argv: ["node", "loopx.cjs"],
  codexSurface: undefined,
};

const { planInstallation } = await loadInstaller();

const TEXTS = INSTALL_HOSTS.flatMap((host) => planInstallation(host, REQUEST, "all"))
  .filter((target): target is FileTarget => target.kind === "file" && /facade|workflow_skill/.test(target.part))
  .map(({ host, name, text }) => ({ host, name, text: text.replaceAll(String.raw`\n`, "\n") }));

function listCodeLines(text: string): readonly string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.trim().replace(/ <<'LOOPX_MESSAGE'$/, ""))
    .filter((line) => line.startsWith("loopx "))
    .map((line) => line.replace("--host-surface=<surface>", "--host-surface=<claude-code|codex-app>"))
    .map((line) => line.replaceAll(/=(<[^>]+>)/g, "='$1'"));
}

/** Code in a sentence, of which the beginning may be a command's words. */
function listInlineCode(text: string): readonly string[] {
  return [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

function hasFlag(name: string, flag: string): boolean {
  const key = toFlagKey(flag) ?? "";
  return Object.hasOwn(findCommand(name)?.spec.flags ?? {}, key) || Object.hasOwn(GLOBAL_FLAGS, key);
}

describe("what a facade or the workflow skill tells an agent to run", () => {
  test.each(TEXTS)("in $name of $host is understood by our own parser", ({ text }) => {
    const lines = listCodeLines(text);
    expect(lines.length).toBeGreaterThan(0);
    expect(findRefusedCommands(lines)).toEqual([]);
  });

  test.each(TEXTS)("in a sentence of $name of $host exists", ({ text }) => {
    const names = listCommands().map(({ name }) => name);
    const unknown = listInlineCode(text).flatMap((code) => {
      const words = code.replace(/^loopx /, "");
      const name = names.find((each) => words === each || words.startsWith(`${each} `));
      const flags = [...code.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
      const isKnown = (flag: string): boolean =>
        name === undefined ? names.some((each) => hasFlag(each, flag)) : hasFlag(name, flag);
      return flags.filter((flag) => !isKnown(flag)).map((flag) => `${code}: ${flag}`);
    });
    expect(unknown).toEqual([]);
  });

  test("is the guard first, then evidence, completion and charge, in that order", () => {
    const skill = TEXTS.find(({ name }) => name === "loopx-project")?.text ?? "";
    const order = ["quota should-run", "1. `refresh-state`", "2. `todo complete`", "3. `quota spend`"];
    expect(order.map((words) => skill.indexOf(words))).toEqual(
      order.map((words) => skill.indexOf(words)).toSorted((a, b) => a - b),
    );
    expect(order.filter((words) => !skill.includes(words))).toEqual([]);
    for (const decision of ["run", "replan", "ask_user", "wait", "throttled", "repair", "refused", "paused", "done"]) {
      expect(skill).toMatch(new RegExp(`^\\|.*\`${decision}\`.*\\|`, "m"));
    }
  });
});
