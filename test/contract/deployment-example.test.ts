import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { findRefusedCommands } from "../support/printed-commands.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "examples", "deployment");
const DATABASE_SECRET = "database_password";

interface Service {
  readonly command?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Deployment {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}

const deployment = parse(readFileSync(join(FOLDER, "compose.yaml"), "utf8"), { merge: true }) as Deployment;
const runtimes = Object.entries(deployment.services).filter(([name]) => name.startsWith("runtime-"));

test("two replicas are started by a command that the parser takes, over one store", () => {
  const commands = runtimes.map(([, { command = [] }]) => `loopx context serve ${command.map(quote).join(" ")}`);
  expect(commands).toHaveLength(2);
  expect(findRefusedCommands(commands)).toEqual([]);
  expect(commands[0]).toBe(commands[1]);
  expect(commands[0]).toContain("--store=postgresql://loopx@database/loopx");
});

test("each secret that a service reads is declared and mounted there, and no value stands in a file", () => {
  const declared = Object.keys(deployment.secrets);
  for (const [, { command = [], secrets = [] }] of runtimes) {
    const read = [...command.join(" ").matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
    expect(read).toContain(DATABASE_SECRET);
    for (const name of read) expect(secrets).toContain(name);
    for (const name of secrets) expect(declared).toContain(name);
  }
  expect(deployment.services["database"]?.secrets).toEqual([DATABASE_SECRET]);
});

test("the proxy knows each replica, and waits for it", () => {
  const names = runtimes.map(([name]) => name);
  const proxy = readFileSync(join(FOLDER, "Caddyfile"), "utf8");
  for (const name of names) expect(proxy).toContain(`${name}:8080`);
  expect(Object.keys(deployment.services["proxy"]?.depends_on ?? {})).toEqual(names);
});

function quote(word: string): string {
  return `'${word}'`;
}
