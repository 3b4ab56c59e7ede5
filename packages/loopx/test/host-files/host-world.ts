import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readRequestedHosts, type InstallRow, type InstallSurface } from "@loopx/host-commands";
import { installHosts, type InstallationRequest } from "../../src/host-files/install-hosts.ts";

/** A home directory with spaces and other scripts in its name, and whatever hosts a test puts there. */
export interface HostWorld {
  readonly home: string;
  readonly project: string;
  readonly write: (path: string, text: string, mode?: number) => void;
  readonly read: (path: string) => string;
  /** Every file below the home, with its bytes and permissions. */
  readonly snapshot: () => Readonly<Record<string, string>>;
  readonly apply: (
    change?: Partial<Omit<InstallationRequest, "requested">> & { surfaces?: readonly InstallSurface[] },
  ) => Promise<Rows>;
}

export type Rows = readonly InstallRow[];

export function createHostWorld(): HostWorld {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopx-hosts-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const home = join(directory, "heim 家");
  const project = join(directory, "project");
  mkdirSync(home);
  mkdirSync(project);
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    chmodSync(join(home, path), mode);
  };
  return {
    home,
    project,
    write,
    read: (path) => readFileSync(join(home, path), "utf8"),
    snapshot: () => snapshot(home),
    apply: async ({ surfaces, ...change } = {}) => {
      const { rows } = await installHosts({
        operation: "install",
        isDryRun: false,
        scope: "user",
        requested: surfaces === undefined ? undefined : readRequestedHosts(surfaces),
        projectRoot: change.scope === "project" ? project : undefined,
        ambient: { env: { HOME: home, PATH: "" }, cwd: project },
        running: { node: "/opt/node 20/bin/node", script: "/opt/loopx/bin/loopx.cjs" },
        version: "1.2.3",
        ...change,
      });
      return rows;
    },
  };
}

function snapshot(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    files.flatMap((name) => {
      const stats = lstatSync(join(folder, name));
      // eslint-disable-next-line no-bitwise -- the permission bits of a mode
      const mode = (stats.mode & 0o777).toString(8);
      return stats.isFile() ? [[name, `${mode} ${readFileSync(join(folder, name), "latin1")}`]] : [];
    }),
  );
}

/** The statuses of rows, by host and part; one word where all of a part agree. */
export function statusesOf(rows: Rows): Readonly<Record<string, string>> {
  const statuses = new Map<string, Set<string>>();
  for (const { host, part, status, reason } of rows) {
    const key = `${host} ${part}`;
    statuses.set(key, (statuses.get(key) ?? new Set()).add(reason === undefined ? status : `${status}: ${reason}`));
  }
  return Object.fromEntries([...statuses].map(([key, each]) => [key, [...each].join(", ")]));
}
