import { parseShellWords } from "@loopx/contracts";
import {
  array,
  check,
  constant,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  string,
  stringMatching,
  type Arbitrary,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/command-line/parse-command-line.ts";
import { printCommand } from "../../src/command-line/print-command.ts";
import { listCommands } from "../../src/command-table/command-table.ts";
import type { FlagSpec } from "../../src/command-table/flag-spec.ts";

describe("a printed command", () => {
  test("has its words first and every value behind an equals sign", () => {
    const printed = printCommand(
      "todo complete",
      {
        todoId: "todo_4f1k2m",
        agentId: "a1",
        evidence: "it's done",
        noFollowUp: true,
        evidenceFile: ["a b.txt", "-x"],
      },
      { globals: { project: ".", format: "json" } },
    );
    expect(printed.argv).toEqual([
      "loopx",
      "todo",
      "complete",
      "--todo-id=todo_4f1k2m",
      "--agent-id=a1",
      "--evidence=it's done",
      "--evidence-file=a b.txt",
      "--evidence-file=-x",
      "--no-follow-up",
      "--format=json",
      "--project=.",
    ]);
    expect(printed.shell).toBe(
      String.raw`loopx todo complete --todo-id=todo_4f1k2m --agent-id=a1 '--evidence=it'\''s done' '--evidence-file=a b.txt' --evidence-file=-x --no-follow-up --format=json --project=.`,
    );
  });

  test("keeps a placeholder for what only the reader knows", () => {
    expect(printCommand("quota spend", { goalId: "g1", agentId: "a1", turn: "<turn-id>" }).shell).toBe(
      "loopx quota spend --goal-id=g1 --agent-id=a1 '--turn=<turn-id>'",
    );
    expect(printCommand("goal budget", { totalTurns: "<n>", window: 5_400_000 }).argv.slice(3)).toEqual([
      "--total-turns=<n>",
      "--window=1h30m",
    ]);
  });

  test("takes arguments, and guards one that looks like a flag", () => {
    expect(printCommand("help", {}, { positionals: ["todo", "add"] }).shell).toBe("loopx help todo add");
    expect(printCommand("help", {}, { positionals: ["-x"] }).argv).toEqual(["loopx", "help", "--", "-x"]);
  });

  test("is refused by the types and at run time when it isn't in the table", () => {
    // @ts-expect-error no such command
    expect(() => printCommand("todo frobnicate", {})).toThrow("no command todo frobnicate to print");
    // @ts-expect-error no such flag
    expect(() => printCommand("status", { bogus: "x" })).toThrow("status has no flag bogus to print");
    // @ts-expect-error a required flag is missing
    expect(() => printCommand("todo show", {})).toThrow("todo show is printed without todoId");
    // @ts-expect-error not one of the choices
    printCommand("gate decide", { gateId: "<gate-id>", decision: "maybe" });
  });

  test("comes back from the parser with the same flags, and from a shell with the same words", () => {
    for (const { name, spec } of listCommands()) {
      const flags = record(
        Object.fromEntries(Object.entries(spec.flags).map(([key, flag]) => [key, flagValues(flag)])),
        {
          requiredKeys: Object.entries(spec.flags)
            .filter(([, flag]) => isAlwaysThere(flag))
            .map(([key]) => key),
        },
      ).map((given) => keepOneChoice(given, spec.chooseOne ?? []));
      const positionals = spec.positional?.choices ?? (spec.positional?.required ? ["a word"] : []);
      const outcome = check(
        property(flags, (given) => {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the flags are made from the row of this name
          const { argv, shell } = printCommand(name as "status", given as Record<string, never>, {
            positionals: positionals.slice(0, 1),
          });
          expect(parseShellWords(shell)).toEqual(argv);
          const parsed = parseCommandLine(argv.slice(1));
          if (parsed.kind === "refused") throw parsed.error;
          expect(parsed).toMatchObject({ kind: "command", command: { name } });
          if (parsed.kind === "command") expect(parsed.command.flags).toEqual(given);
        }),
        { numRuns: 60 },
      );
      expect(
        outcome.failed,
        `${name}: ${String(outcome.errorInstance)} ${JSON.stringify(outcome.counterexample)}`,
      ).toBe(false);
    }
  });
});

function isAlwaysThere(flag: FlagSpec): boolean {
  return flag.type === "boolean" || flag.required === true || flag.repeatable === true || "default" in flag;
}

type Choices = readonly { readonly from: readonly string[]; readonly required?: true }[];

/** Of flags that exclude each other only the first stays; of required ones, the first is put in. */
function keepOneChoice(given: Record<string, unknown>, choices: Choices): Record<string, unknown> {
  const kept = { ...given };
  for (const { from, required } of choices) {
    const isGiven = (key: string): boolean =>
      Array.isArray(kept[key]) ? kept[key].length > 0 : kept[key] !== undefined && kept[key] !== false;
    const chosen = from.find(isGiven);
    for (const key of from.filter((other) => other !== chosen)) {
      if (typeof kept[key] === "boolean") kept[key] = false;
      else if (Array.isArray(kept[key])) kept[key] = [];
      else delete kept[key];
    }
    const [first] = from;
    if (chosen === undefined && required && first !== undefined)
      kept[first] = Array.isArray(kept[first]) ? ["todo_4f1k2m"] : "chosen";
  }
  return kept;
}

function flagValues(flag: FlagSpec): Arbitrary<unknown> {
  if (flag.type === "boolean") return flag.required ? constant(true) : constantFrom(true, false);
  const one = oneValue(flag);
  return flag.repeatable ? array(one, { maxLength: 3 }) : one;
}

const HOSTILE = [
  "-x",
  "--project",
  "--",
  "--format json",
  "--help",
  "a=b",
  "'",
  '"',
  "\\",
  "$(id)",
  "`id`",
  "a\nb",
  "=",
  "~",
  "<goal-id>",
  "🧑‍💻 中文",
  "!",
  "\tx\r\n ",
  "#",
];

function oneValue(flag: Exclude<FlagSpec, { type: "boolean" }>): Arbitrary<unknown> {
  const anyText = oneof(constantFrom(...HOSTILE), string({ unit: "binary", minLength: 1, maxLength: 20 })).filter(
    // Text that shows nothing is refused.
    (text) => !text.includes("\0") && !/^[\s\p{Cf}]*$/u.test(text),
  );
  switch (flag.type) {
    case "text":
    case "path":
      return anyText;
    case "argv":
      return array(anyText, { minLength: 1, maxLength: 3 });
    case "choice":
      return constantFrom(...flag.choices);
    case "integer":
      return oneof(integer({ min: flag.min, max: flag.max ?? 2 ** 31 }), ...(flag.orNone ? [constant("none")] : []));
    case "duration":
      return integer({ min: Math.ceil((flag.minMs ?? 1000) / 1000), max: (flag.maxMs ?? 86_400_000) / 1000 }).map(
        (seconds) => seconds * 1000,
      );
    case "instant":
      return integer({ min: 0, max: Date.UTC(2100, 0) }).map((epochMs) => new Date(epochMs).toISOString());
    case "id":
      return idValues(flag.names);
    default:
      throw new TypeError(`no values for ${String(flag satisfies never)}`);
  }
}

function idValues(names: string): Arbitrary<string> {
  const prefix = names === "gate" ? "todo" : names;
  if (["todo", "turn", "token"].includes(prefix))
    return stringMatching(/^[a-z0-9]{6,20}$/).map((end) => `${prefix}_${end}`);
  if (names === "thread") return constantFrom("thr-123", "--project", "-x", "=a", "中文", "a:b");
  return stringMatching(/^g[a-z0-9-]{0,10}$/);
}
