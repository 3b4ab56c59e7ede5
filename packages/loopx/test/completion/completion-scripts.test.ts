import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toFlagName } from "../../src/command-line/flag-name.ts";
import { listCommands } from "../../src/command-table/command-table.ts";
import { renderBashCompletion } from "../../src/completion/render-bash-completion.ts";
import { renderFishCompletion } from "../../src/completion/render-fish-completion.ts";
import { renderZshCompletion } from "../../src/completion/render-zsh-completion.ts";

const SCRIPTS = [
  ["bash", renderBashCompletion()],
  ["zsh", renderZshCompletion()],
  ["fish", renderFishCompletion()],
] as const;

describe("completion", () => {
  test.each(SCRIPTS)("the %s script knows every command, alias and flag, and no hidden command", (_, script) => {
    const visible = listCommands().filter(({ spec }) => !spec.isHidden);
    for (const { name, spec } of visible) {
      for (const words of [name, ...(spec.aliases ?? [])]) expect(script).toContain(`'${words}'`);
      for (const key of Object.keys(spec.flags)) expect(script).toContain(toFlagName(key));
    }
    expect(script).not.toMatch(/['" ]__complete['":]/);
  });

  test.each(SCRIPTS)("the %s script has no tab and nothing that moves a cursor", (_, script) => {
    expect(script).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

const folder = mkdtempSync(join(tmpdir(), "loopx-completion-"));

/** Lines as they stand in a shell, and what `loopx` is then asked for; bash gets the words as it splits them. */
const PLACES = [
  {
    line: "todo complete --goal-id importer-goal --todo-id ",
    bash: ["todo", "complete", "--goal-id", "importer-goal", "--todo-id", ""],
    asked: ["__complete", "--kind=todo", "--state=work", "--goal-id=importer-goal"],
  },
  {
    line: "--project=~/a\\ b todo archive --goal-id='importer-goal' --todo-id ",
    bash: ["--project", "=", "~/a\\ b", "todo", "archive", "--goal-id", "=", "'importer-goal'", "--todo-id", ""],
    asked: ["__complete", "--kind=todo", "--state=finished", "--project=/home/ada/a b", "--goal-id=importer-goal"],
  },
  {
    line: "todo update --registry '$(touch x)' --todo-id ",
    bash: ["todo", "update", "--registry", "'$(touch x)'", "--todo-id", ""],
    asked: ["__complete", "--kind=todo", "--state=live", "--registry=$(touch x)"],
  },
  {
    line: "gate show --text --goal-id --goal-id=importer-goal --gate-id ",
    bash: ["gate", "show", "--text", "--goal-id", "--goal-id=importer-goal", "--gate-id", ""],
    asked: ["__complete", "--kind=gate", "--goal-id=importer-goal"],
  },
] as const;

describe("completion in a real bash", () => {
  const script = join(folder, "loopx.bash");
  writeFileSync(script, renderBashCompletion());
  writeFileSync(
    join(folder, "loopx"),
    '#!/bin/sh\ncase "$*" in\n"__complete --kind=goal") echo importer-goal; echo other-goal ;;\n' +
      '"__complete --kind=todo") echo todo_4f1k2m; echo todo_5g2n3p ;;\n' +
      '*) for word; do echo "$word"; done ;;\nesac\n',
  );
  chmodSync(join(folder, "loopx"), 0o755);

  /** What bash offers for words that it has split itself; the last one is being typed. */
  function complete(words: readonly string[]): string[] {
    const program = `set -u; source "$1"; shift; COMP_WORDS=(loopx "$@"); COMP_CWORD=$#; _loopx; printf '%s\\n' "\${COMPREPLY[@]-}"`;
    const outcome = spawnSync("bash", ["--norc", "-c", program, "bash", script, ...words], {
      cwd: folder,
      env: { PATH: `${folder}:/usr/bin:/bin`, HOME: "/home/ada" },
      encoding: "utf8",
    });
    expect(outcome.stderr).toBe("");
    return outcome.stdout.split("\n").filter((line) => line !== "");
  }

  test.each([
    [["to"], ["todo"]],
    [
      ["quota", ""],
      ["should-run", "spend", "status"],
    ],
    [["owner", "token", "re"], ["revoke"]],
    [["con"], ["connect", "context", "config"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["help", "to"], ["todo"]],
    [["help", "todo", "cl"], ["claim"]],
    [
      ["help", "owner", "token", ""],
      ["create", "list", "revoke"],
    ],
    [["todo", "add", "--te"], ["--text"]],
    [
      ["todo", "add", "--role", ""],
      ["agent", "user"],
    ],
    [
      ["todo", "add", "--role", "=", ""],
      ["agent", "user"],
    ],
    [["todo", "add", "--role", "=", "u"], ["user"]],
    [
      ["todo", "update", "--status", ""],
      ["blocked", "open"],
    ],
    [
      ["todo", "list", "--status", "d"],
      ["done", "deferred"],
    ],
    [["--format", "json", "todo", "cl"], ["claim"]],
    [["--format", "=", "json", "todo", "cl"], ["claim"]],
    [["--quiet", "todo", "cl"], ["claim"]],
    [["todo", "--json", "cl"], ["claim"]],
    [["todo", "add", "--text", "todo", "--form"], ["--format"]],
    [
      ["--format", ""],
      ["json", "text"],
    ],
    [["--goal", ""], []],
    [["status", "--goal-id", "i"], ["importer-goal"]],
    [
      ["todo", "show", "--todo-id", "="],
      ["todo_4f1k2m", "todo_5g2n3p"],
    ],
    [["todo", "show", "--todo-id", "=", "todo_5"], ["todo_5g2n3p"]],
    [
      ["todo", "add", "--action-kind", "p"],
      ["private_material", "production"],
    ],
    [["export", "--output", "loopx."], ["loopx.bash"]],
    [["todo", "add", "--text", ""], []],
  ])("%j offers %j", (words, offered) => {
    expect(complete(words)).toEqual(offered);
  });

  test.each(PLACES)("what says where the ids are is handed on: $line", ({ bash, asked }) => {
    expect(complete(bash)).toEqual([...new Set(asked.flatMap((word) => word.split(" ")))]);
    expect(existsSync(join(folder, "x"))).toBe(false);
  });

  test("a value behind an equals sign is completed where bash doesn't split there", () => {
    expect(complete(["todo", "add", "--role=a"])).toEqual(["--role=agent"]);
  });
});

function isMissing(shell: string): boolean {
  return spawnSync(shell, ["-c", "true"]).status !== 0;
}

/** What a shell prints with the stand-in for `loopx` on its path. */
function print(shell: string, argv: readonly string[]): readonly string[] {
  const outcome = spawnSync(shell, argv, {
    cwd: folder,
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: "/home/ada", TERM: "dumb" },
    encoding: "utf8",
  });
  expect(outcome.stderr).toBe("");
  return outcome.stdout.split("\n").filter((line) => line !== "");
}

describe.skipIf(isMissing("fish"))("completion in a real fish", () => {
  test.each(PLACES)("what says where the ids are is handed on: $line", ({ line, asked }) => {
    const script = join(folder, "loopx.fish");
    writeFileSync(script, renderFishCompletion());
    const program = `source ${script}; complete -C ${JSON.stringify(`loopx ${line}`).replaceAll("$", "\\$")}`;
    expect(print("fish", ["--no-config", "-c", program]).toSorted()).toEqual([...asked].toSorted());
    expect(existsSync(join(folder, "x"))).toBe(false);
  });
});

describe.skipIf(isMissing("zsh"))("completion in a real zsh", () => {
  test.each(PLACES)("what says where the ids are is handed on: $line", ({ line, asked }) => {
    const script = join(folder, "_loopx");
    writeFileSync(script, renderZshCompletion());
    // The words as the line editor splits them, without undoing their quotes.
    const program =
      `compdef() { }; compadd() { shift; print -l -- "$@"; }; source "$1"; ` +
      `words=(\${(z)2} ""); CURRENT=\${#words}; PREFIX=''; _loopx`;
    expect(print("zsh", ["-f", "-c", program, "zsh", script, `loopx ${line}`])).toEqual(asked);
    expect(existsSync(join(folder, "x"))).toBe(false);
  });
});
