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

test("the entry loads contracts and the command table, and neither store, control plane nor any handler", () => {
  const packages = new Set(
    loadedBy("packages/loopx/src/main.ts").map((input) => input.split("/").slice(0, 3).join("/")),
  );
  expect(packages).not.toContain("packages/store/src");
  expect(packages).not.toContain("packages/control-plane/src");
  expect(packages).not.toContain("packages/host-commands/src");
});

test.each(["quota/should-run.ts", "quota/spend.ts", "todo/add.ts", "todo/claim.ts", "todo/complete.ts"])(
  "the hot command %s loads no help, no completion and no library",
  (handler) => {
    const inputs = loadedBy(`packages/loopx/src/commands/${handler}`);
    expect(inputs.filter((input) => /\/(help|completion)\/|node_modules/.test(input))).toEqual([]);
  },
);

test("nothing of another package is external but the SQLite driver", () => {
  const externals = Object.values(outputs).flatMap((output) =>
    output.imports.filter((one) => one.external === true && !one.path.startsWith("node:")).map((one) => one.path),
  );
  expect(new Set(externals)).toEqual(new Set(externals.filter((path) => path === "better-sqlite3")));
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
  return [...seen].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}
