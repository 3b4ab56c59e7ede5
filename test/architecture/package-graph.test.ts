import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** Which of our packages each one may import. Down only: a sibling is reached through a port that `loopx` fills. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  store: ["contracts"],
  "control-plane": ["contracts", "store"],
  "host-commands": ["contracts", "control-plane"],
  "runtime-context": ["contracts", "store"],
  extensions: ["contracts", "store"],
  "decision-context": ["contracts", "store", "extensions"],
  "provider-sdk": [],
  "session-history": ["provider-sdk"],
  "loopx-obelisk": ["provider-sdk"],
  workstation: [],
  loopx: [
    "contracts",
    "store",
    "control-plane",
    "host-commands",
    "extensions",
    "decision-context",
    "runtime-context",
    "workstation",
  ],
};

/** Doors besides a package's own: `offline` leads to nothing that could reach a network, `contract` to types alone, `postgres` to that driver. */
const SIDE_DOORS = ["@loopx/runtime-context/offline", "@loopx/store/postgres", "@loopx/workstation/contract"];

/** Node modules that do I/O, or start something. */
const IO_MODULES = /^node:(fs|child_process|net|http|https|dgram|worker_threads|cluster|tls)/;

test("the packages are the ones the graph names", () => {
  expect(readdirSync(join(root, "packages")).toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
});

test.each(Object.keys(MAY_IMPORT))("%s imports only what lies below it, and declares it", (name) => {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const imported = new Set(listImports(name).filter((source) => source.startsWith("@loopx/") || source === KIT));
  for (const source of imported) {
    const [scope = "", folder] = source.split("/");
    expect(declared, `${name} uses ${source}`).toContain(folder === undefined ? scope : `${scope}/${folder}`);
    expect(MAY_IMPORT[name], `${name} imports ${source}`).toContain(folder ?? "provider-sdk");
  }
});

/** Published under a name of its own. */
const KIT = "loopx-provider-sdk";

test.each(Object.keys(MAY_IMPORT))("%s reaches into no other package's folders", (name) => {
  const outside = listImports(name).filter(
    (source) => source.includes("../packages/") || (/^@loopx\/[^/]+\//.test(source) && !SIDE_DOORS.includes(source)),
  );
  expect(outside).toEqual([]);
});

test("the page runs no code of ours but its own: loopx takes types of it", () => {
  const taken = listFiles("loopx").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type ).*"@loopx\/workstation.*$/gm)].map(
      ([line]) => line,
    ),
  );
  expect(taken).toEqual([]);
});

test("contracts does no I/O", () => {
  expect(listImports("contracts").filter((source) => IO_MODULES.test(source))).toEqual([]);
});

test("the rules of the control plane and of the host commands do no I/O", () => {
  expect(listImports("control-plane").filter((source) => IO_MODULES.test(source))).toEqual([]);
  expect(listImports("host-commands").filter((source) => IO_MODULES.test(source))).toEqual([]);
});

/** Reads databases that aren't ours, with one statement, in a process that is killed: nothing that the store's port is for. */
const PROVIDER_CHILD = join("runtime-context", "src", "providers", "sqlite");

test("only the store names a database driver, and the process that reads a provider's file", () => {
  for (const name of Object.keys(MAY_IMPORT)) {
    if (name === "store") continue;
    const drivers = listFiles(name).filter(
      (file) =>
        !file.includes(PROVIDER_CHILD) && /["'](better-sqlite3|node:sqlite|pg)["']/.test(readFileSync(file, "utf8")),
    );
    expect(drivers).toEqual([]);
  }
});

function listImports(name: string): readonly string[] {
  return listFiles(name).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? ""),
  );
}

function listFiles(name: string): readonly string[] {
  return readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
