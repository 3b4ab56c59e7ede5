import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

interface Output {
  readonly bytes: number;
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

let outputs: Readonly<Record<string, Output>>;

beforeAll(() => {
  const metafile = JSON.parse(readFileSync(join(root, "packages", "loopx", "dist", "metafile.json"), "utf8")) as {
    outputs: Record<string, Output>;
  };
  outputs = metafile.outputs;
});

test("what every process loads decides which program runs, and is nothing more", () => {
  expect(loadedBy("packages/loopx/src/main.ts")).toEqual([
    "packages/loopx/src/programs/guess-program.ts",
    "packages/loopx/src/main.ts",
  ]);
});

test("help and version load contracts and the command table, and no other package", () => {
  const packages = new Set(
    loadedBy("packages/loopx/src/programs/about.ts").map((input) => input.split("/").slice(0, 2).join("/")),
  );
  expect(packages).toEqual(new Set(["packages/contracts", "packages/loopx"]));
});

test.each(["should-run", "every-turn", "recall"])(
  "%s.cjs loads no help, no completion, no runtime context and no library",
  (program) => {
    const inputs = loadedBy(`packages/loopx/src/programs/${program}.ts`);
    expect(inputs.length).toBeGreaterThan(100);
    expect(inputs.filter((input) => /\/completion\/|\/help\/|runtime-context|node_modules/.test(input))).toEqual([]);
    // The rows are there, without their words: a row's own module would bring them back.
    expect(inputs.filter((input) => /-commands\.ts$|shared-flags|error-meanings/.test(input))).toEqual([]);
  },
);

test("what a host waits for on every prompt is reading stdin and a first look, and nothing more", () => {
  expect(loadedBy("packages/loopx/src/programs/hook.ts").toSorted()).toEqual([
    "packages/loopx/src/host-message/may-be-command.ts",
    "packages/loopx/src/input/read-standard-input.ts",
    "packages/loopx/src/programs/hook.ts",
  ]);
});

test("what answers a command in a prompt, starts a goal or serves MCP loads no library that only an installation needs", () => {
  for (const handler of [
    "programs/answer-hook",
    "commands/host/start-goal",
    "commands/host/mcp",
    "commands/host/bootstrap",
  ]) {
    const inputs = loadedBy(`packages/loopx/src/${handler}.ts`);
    expect([handler, inputs.length > 10]).toEqual([handler, true]);
    const libraries = inputs.filter((input) => /node_modules\/(?:yaml|smol-toml|jsonc-parser)\//.test(input));
    expect([handler, libraries]).toEqual([handler, []]);
  }
});

test("a command of every turn is one file after the entry, and the small programs hold all that the guess sends them", () => {
  for (const program of ["about", "should-run", "every-turn", "recall"]) {
    const { imports } = outputs[`packages/loopx/dist/${program}.cjs`] ?? { imports: [] };
    expect(
      imports
        .filter(({ path }) => path !== "better-sqlite3" && !path.startsWith("node:"))
        // Loaded when a project's state turns out to be on a server.
        .filter(({ path }) => path !== "./server-store.cjs")
        .map(({ path }) => path),
    ).toEqual([]);
  }
});

test("no module of a program in one file is a function that V8 reads twice", () => {
  for (const program of ["about", "should-run", "every-turn", "recall"]) {
    const text = readFileSync(join(root, "packages", "loopx", "dist", `${program}.cjs`), "utf8");
    // What esbuild makes of a module that something imports late.
    expect([program, text.match(/=\w+\(\(\)=>\{"use strict"/g)]).toEqual([program, null]);
  }
});

test("nothing of another package is external but the SQLite driver", () => {
  const externals = Object.values(outputs).flatMap((output) =>
    output.imports
      .filter(({ external, path }) => external === true && !path.startsWith("node:") && !path.endsWith(".cjs"))
      .map(({ path }) => path),
  );
  expect(externals.filter((path) => !path.startsWith("better-sqlite3"))).toEqual([]);
});

test("the library that serves MCP is loaded by its command alone", () => {
  const holders = Object.values(outputs).filter(({ inputs }) =>
    Object.keys(inputs).some((input) => input.includes("node_modules/@modelcontextprotocol/")),
  );
  expect(holders.map(({ entryPoint }) => entryPoint)).toEqual(["packages/loopx/src/commands/host/mcp.ts"]);
  const whole = loadedBy("packages/loopx/src/programs/whole.ts");
  expect(whole.filter((input) => /node_modules|\/mcp\//.test(input))).toEqual([]);
});

test("the driver of PostgreSQL is loaded where a store is on such a server, and by nothing else", () => {
  const holders = Object.values(outputs).filter(({ inputs }) =>
    Object.keys(inputs).some((input) => /node_modules\/pg(?:-|\/|pass)/.test(input)),
  );
  expect(holders.map(({ entryPoint }) => entryPoint)).toEqual(["packages/loopx/src/programs/server-store.ts"]);
});

/** Without a client, a server and the modules under them there is nothing in the process that could open a socket. */
test("tests, previews and regressions of a Context Project load nothing that could reach a network", () => {
  const reaching = /node_modules\/(?:undici|hono|@hono)|\/providers\/(?:http|sqlite)\/|\/server\/|turn\/deployment/;
  const late = new Set(loadedBy("packages/loopx/src/commands/context/turn.ts").filter((input) => reaching.test(input)));
  expect(late.size).toBeGreaterThan(10);
  for (const name of ["test", "preview", "regress"]) {
    const inputs = loadedBy(`packages/loopx/src/commands/context/${name}.ts`);
    expect(inputs).toContain("packages/runtime-context/src/providers/fixture/fixture-provider-client.ts");
    expect([name, inputs.filter((input) => reaching.test(input))]).toEqual([name, []]);
  }
});

/** Source files that are loaded before the entry point runs: its chunk and those it imports statically. */
function loadedBy(entryPoint: string): readonly string[] {
  const start = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  if (start === undefined) throw new Error(`no output for ${entryPoint}`);
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const output = outputs[path];
    if (output === undefined || seen.has(path)) return;
    seen.add(path);
    for (const one of output.imports) if (one.kind === "import-statement") visit(one.path);
  };
  visit(start);
  const inputs = [...seen].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
  return inputs.filter((input) => !input.startsWith("builtin:"));
}
