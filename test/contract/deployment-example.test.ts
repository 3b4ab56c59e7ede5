import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

const BACKUP = join(FOLDER, "..", "backup");

test("the backups that cron and systemd make are started by commands that the parser takes", () => {
  const crontab = readFileSync(join(BACKUP, "crontab"), "utf8");
  const unit = readFileSync(join(BACKUP, "loopx-backup.service"), "utf8");
  const lines = [/&& (loopx .*)$/m.exec(crontab)?.[1], /^ExecStart=\/usr\/bin\/env (loopx .*)$/m.exec(unit)?.[1]];
  for (const line of lines) expect(line).toMatch(/^loopx backup --keep=14 /);
  expect(
    findRefusedCommands(lines.map((line) => (line ?? "").replaceAll("%h", "home").replaceAll('"$HOME/', '"home/'))),
  ).toEqual([]);
});

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("systemd takes the units", () => {
  const units = ["loopx-backup.service", "loopx-backup-failed.service", "loopx-backup.timer"].map((name) =>
    join(BACKUP, name),
  );
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--user", ...units], {
    encoding: "utf8",
    // Its manager wants a folder, and there may be no session of a user here.
    env: { ...process.env, XDG_RUNTIME_DIR: tmpdir() },
  });
  expect(status, stderr).toBe(0);
});
