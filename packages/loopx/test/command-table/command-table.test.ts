import { parseShellWords } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { toFlagKey, toFlagName } from "../../src/command-line/flag-name.ts";
import { parseCommandLine } from "../../src/command-line/parse-command-line.ts";
import { COMMAND_GROUPS } from "../../src/command-table/command-groups.ts";
import { findCommand, isCommandPrefix, listCommands } from "../../src/command-table/command-table.ts";
import { GLOBAL_FLAGS } from "../../src/command-table/global-flags.ts";

describe("the command table", () => {
  test("holds every command the product promises, by its exact words", () => {
    const names = listCommands().map(({ name }) => name);
    expect(names.toSorted()).toEqual(
      `__complete,agent-onboard,backup,bind-agent-thread,bootstrap,bootstrap-command-pack,completion,config get,config list,config set,
context attach,context attached,context build,context check,context detach,context diff,context guide,context init,context keys create,context keys destroy,context keys list,context keys rotate,context preview,context provider check,context regress,context reproduce,context schema,context serve,context test,context traces list,context traces prune,context traces purge,context traces show,context traces verify,context turn,decision-context init-profile,decision-context inspect-profile,decision-context prepare-evidence,decision-context prepare-review,decision-context recall-context,decision-context record-outcome,decision-context settle-review,decision-context source-manifest,doctor,drive,export,extension check,extension disable,extension doctor,extension enable,extension init,extension install,extension list,extension remove,extension rollback,extension upgrade,gate decide,gate list,gate show,gc,global-gates,global-risks,global-summary,global-todos,goal budget,goal complete,goal edit,goal list,goal pause,goal resume,goal show,goal stop,heartbeat-prompt,help,history,hook,host-parse,import,init,mcp,open,owner token create,owner token list,owner token revoke,pr-review,quota should-run,quota spend,quota status,recover,refresh-state,register-agent,resolve-agent-thread,restore,slash-commands,start-goal,status,store copy,store migrate,store status,todo add,
todo archive,todo claim,todo complete,todo defer,todo list,todo release,todo show,todo supersede,todo update,
unbind-agent-thread,version,workstation`
        .replaceAll("\n", "")
        .split(","),
    );
    expect(findCommand("connect")?.name).toBe("bootstrap");
    expect(isCommandPrefix("owner token")).toBe(true);
    expect(isCommandPrefix("status")).toBe(false);
  });

  test("no words stand in two groups, and no command is the beginning of another", () => {
    const words = COMMAND_GROUPS.flatMap((group) =>
      Object.entries(group.commands).flatMap(([name, spec]) => [name, ...(spec.aliases ?? [])]),
    );
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter(isCommandPrefix)).toEqual([]);
  });

  test("a flag's name is written one way only, and never hides a global flag", () => {
    for (const { spec } of listCommands()) {
      for (const key of Object.keys(spec.flags)) {
        expect(toFlagKey(toFlagName(key))).toBe(key);
        expect(Object.hasOwn(GLOBAL_FLAGS, key)).toBe(false);
      }
    }
    expect(toFlagName("includeCommandPackDetail")).toBe("--include-command-pack-detail");
    expect(toFlagKey("--goalId")).toBeUndefined();
    expect(toFlagKey("--goal--id")).toBeUndefined();
  });

  test("a flag's name takes a value in every command or in none, as completion relies on", () => {
    const arity = new Map<string, boolean>();
    for (const { spec } of listCommands()) {
      for (const [key, flag] of Object.entries(spec.flags)) {
        const isBoolean = flag.type === "boolean";
        expect(arity.get(key) ?? isBoolean, key).toBe(isBoolean);
        arity.set(key, isBoolean);
      }
    }
  });

  test("a command that may need an owner takes an owner token", () => {
    const withoutToken = listCommands()
      .filter(({ spec }) => spec.authority === "owner" || spec.ownerWhen !== undefined)
      .filter(({ spec }) => !Object.hasOwn(spec.flags, "ownerTokenFile"))
      .map(({ name }) => name);
    expect(withoutToken).toEqual([]);
  });

  test("only owners loosen: resume, stop, restore, import, moves, settings, tokens, gate decisions", () => {
    const owners = listCommands().filter(({ spec }) => spec.authority === "owner");
    expect(owners.map(({ name }) => name)).toEqual([
      "goal resume",
      "goal stop",
      "gate decide",
      "owner token create",
      "owner token list",
      "owner token revoke",
      "context detach",
      "extension install",
      "extension upgrade",
      "extension enable",
      "extension rollback",
      "extension remove",
      "import",
      "restore",
      "store migrate",
      "store copy",
      "gc",
      "recover",
      "config set",
    ]);
  });

  test("exclusive flags exist, and none of them is required by itself", () => {
    for (const { name, spec } of listCommands()) {
      for (const key of (spec.chooseOne ?? []).flatMap((choice) => choice.from)) {
        const flag = spec.flags[key];
        expect(flag, `${name} ${key}`).toBeDefined();
        expect(flag !== undefined && "required" in flag, `${name} ${key}`).toBe(false);
      }
    }
  });

  const examples = listCommands().flatMap(({ name, spec }) => spec.examples.map((example) => ({ name, example })));
  test.each(examples)("the example parses as its own command: $example", ({ name, example }) => {
    // The parser of shell words expands nothing; the seed's line has one variable.
    const [program, ...argv] = parseShellWords(example.replace("$HOME", "/home/someone"));
    const parsed = parseCommandLine(argv);
    expect(program).toBe("loopx");
    expect(parsed).toMatchObject({ kind: "command", command: { name } });
  });

  test("every command has an example, and one line to say what it is for", () => {
    for (const { name, spec } of listCommands()) {
      expect(spec.examples.length, name).toBeGreaterThan(0);
      expect(spec.summary, name).toMatch(/^[A-Z][^\n]{1,71}[^.\n]$/);
    }
  });
});
