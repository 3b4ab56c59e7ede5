import { createServer, type AddressInfo } from "node:net";
import { parsePostgresUrl, type PostgresAddress } from "@loopx/store/postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { isPostgresThere, newSchemaName, openPostgresItems, postgresUrl, runOnServer } from "./postgres-store.ts";

function addressAs(login: { readonly user?: string; readonly password?: string }): PostgresAddress {
  return parsePostgresUrl(postgresUrl(login), "store.url");
}

function addressBut(changed: Partial<PostgresAddress>): PostgresAddress {
  return { ...addressAs({}), ...changed };
}

async function findFailure(address: PostgresAddress): Promise<Error> {
  const opened = openPostgresItems(newSchemaName(), { address });
  return opened.then(
    () => new Error("it opened"),
    (error: Error) => error,
  );
}

describe.skipIf(!isPostgresThere())("a server of PostgreSQL", () => {
  test("a wrong password is store_access_denied and is nowhere repeated", async () => {
    const failure = await findFailure(addressAs({ password: "not-the-password-7391" }));
    expect(failure).toMatchObject({ code: "store_access_denied" });
    expect([failure.message, JSON.stringify(failure)].join("\n")).not.toContain("7391");
  });

  test("no password where one is asked for is store_access_denied", async () => {
    expect(await findFailure(addressBut({ password: undefined }))).toMatchObject({ code: "store_access_denied" });
  });

  test("a database that is not there is store_missing", async () => {
    expect(await findFailure(addressBut({ databaseName: "nowhere" }))).toMatchObject({ code: "store_missing" });
  });

  test("a port where nobody listens is store_unreachable", async () => {
    expect(await findFailure(addressBut({ port: 1 }))).toMatchObject({ code: "store_unreachable" });
  });

  test("TLS is not given up where the server has none", async () => {
    expect(await findFailure(addressBut({ tls: "require" }))).toMatchObject({ code: "store_unreachable" });
  });

  test("a server that ends the connection at once is store_unreachable", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has a port
    const { port } = server.address() as AddressInfo;
    expect(await findFailure(addressBut({ port }))).toMatchObject({ code: "store_unreachable" });
  });

  test("a user who may not create is store_access_denied, and one who may read only cannot write", async () => {
    const schema = newSchemaName();
    const login = { user: `reader_${schema.slice(6, 20)}`, password: "known-to-the-test" };
    await (await openPostgresItems(schema)).close();
    await runOnServer(
      `CREATE ROLE ${login.user} LOGIN PASSWORD '${login.password}';
       GRANT USAGE ON SCHEMA ${schema} TO ${login.user}; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${login.user}`,
    );
    const address = addressAs(login);
    expect(await findFailure(address)).toMatchObject({ code: "store_access_denied" });
    const reader = await openPostgresItems(schema, { address });
    expect(await reader.read((tx) => tx.all("SELECT id FROM item"))).toEqual([]);
    const write = reader.write((tx) => tx.run("INSERT INTO item (title) VALUES ('no')"));
    await expect(write).rejects.toMatchObject({ code: "store_access_denied" });
  });

  test("a user for whom the server takes no writes reads, and is refused with store_read_only", async () => {
    const schema = newSchemaName();
    const login = { user: `still_${schema.slice(6, 20)}`, password: "known-to-the-test" };
    await (await openPostgresItems(schema)).close();
    await runOnServer(
      `CREATE ROLE ${login.user} LOGIN SUPERUSER PASSWORD '${login.password}';
       ALTER ROLE ${login.user} SET default_transaction_read_only = on`,
    );
    const database = await openPostgresItems(schema, { address: addressAs(login) });
    expect(database.isWritable).toBe(false);
    const write = database.write((tx) => tx.run("INSERT INTO item (title) VALUES ('no')"));
    await expect(write).rejects.toMatchObject({ code: "store_read_only" });
  });

  test("a write lock that is kept is store_busy after the wait; other projects and readers go on", async () => {
    const schema = newSchemaName();
    const holder = await openPostgresItems(schema);
    const waiter = await openPostgresItems(schema, { busyTimeoutMs: 50 });
    const other = await openPostgresItems(newSchemaName());
    await holder.write(async () => {
      const late = waiter.write((tx) => tx.run("INSERT INTO item (title) VALUES ('late')"));
      await expect(late).rejects.toMatchObject({ code: "store_busy" });
      expect(await waiter.read((tx) => tx.all("SELECT id FROM item"))).toEqual([]);
      expect(await other.write((tx) => tx.run("INSERT INTO item (title) VALUES ('free')"))).toBe(1);
    });
    expect(await waiter.write((tx) => tx.run("INSERT INTO item (title) VALUES ('now')"))).toBe(1);
  });

  test("a connection that the server ends in a write is store_unreachable, leaves nothing and frees the lock", async () => {
    const schema = newSchemaName();
    const lost = await openPostgresItems(schema);
    const write = lost.write(async (tx) => {
      await tx.run("INSERT INTO item (title) VALUES ('half')");
      const backend = await tx.get<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await runOnServer(`SELECT pg_terminate_backend(${backend?.pid ?? 0})`);
      await tx.run("INSERT INTO item (title) VALUES ('other half')");
    });
    await expect(write).rejects.toMatchObject({ code: "store_unreachable" });
    const next = await openPostgresItems(schema, { busyTimeoutMs: 2_000 });
    expect(await next.read((tx) => tx.all("SELECT title FROM item"))).toEqual([]);
  });

  test("work that the server undid for another's sake is done again, and not without end", async () => {
    const database = await openPostgresItems(newSchemaName());
    const serialization = "DO $$ BEGIN RAISE 'undone' USING ERRCODE = '40001'; END $$";
    let attempts = 0;
    const once = await database.write(async (tx) => {
      attempts += 1;
      await tx.run("INSERT INTO item (title) VALUES ('once')");
      if (attempts === 1) await tx.run(serialization);
      return attempts;
    });
    expect(once).toBe(2);
    expect(await database.read((tx) => tx.all("SELECT title FROM item"))).toEqual([{ title: "once" }]);
    attempts = 0;
    const never = database.write(async (tx) => {
      attempts += 1;
      await tx.run(serialization);
    });
    await expect(never).rejects.toMatchObject({ code: "store_busy" });
    expect(attempts).toBe(3);
  });

  test("another failure is not tried again", async () => {
    const database = await openPostgresItems(newSchemaName());
    let attempts = 0;
    const write = database.write(async (tx) => {
      attempts += 1;
      await tx.run("SELECT 1 / 0");
    });
    await expect(write).rejects.toMatchObject({ code: "store_failed" });
    expect(attempts).toBe(1);
  });
});
