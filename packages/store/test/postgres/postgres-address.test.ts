import { expect, test } from "vitest";
import { parsePostgresUrl, renderPostgresAddress } from "../../src/postgres/postgres-address.ts";

test("a URL is read part by part", () => {
  const url = "postgresql://me%40team:p%2Fw@db.example:6543/loop%20x?sslmode=require&sslrootcert=ca.pem";
  expect(parsePostgresUrl(url, "store.url")).toEqual({
    host: "db.example",
    port: 6543,
    databaseName: "loop x",
    user: "me@team",
    password: "p/w",
    tls: "require",
    rootCertificatePath: "ca.pem",
  });
});

test.each([
  { host: "localhost", tls: "disable" },
  { host: "127.0.0.1", tls: "disable" },
  { host: "[::1]", tls: "disable" },
  { host: "db.example", tls: "verify-full" },
  { host: "localhost.example", tls: "verify-full" },
])("without an sslmode, $host is spoken to with $tls", ({ host, tls }) => {
  expect(parsePostgresUrl(`postgres://me@${host}/loopx`, "store.url")).toMatchObject({ tls, port: 5432 });
});

test.each([
  { what: "another scheme", url: "mysql://me@db/loopx" },
  { what: "no URL", url: "db.example" },
  { what: "no user", url: "postgresql://db.example/loopx" },
  { what: "no database", url: "postgresql://me@db.example/" },
  { what: "a misspelt parameter", url: "postgresql://me@db/loopx?ssl-mode=verify-full" },
  { what: "a mode that checks nothing", url: "postgresql://me@db/loopx?sslmode=prefer" },
  { what: "a broken escape", url: "postgresql://me%zz@db/loopx" },
])("$what is refused and not repeated", ({ url }) => {
  const refused = (): unknown => parsePostgresUrl(url, "store.url");
  expect(refused).toThrow(expect.objectContaining({ code: "invalid_value", details: { field: "store.url" } }));
  expect(refused).not.toThrow(url);
});

test("what is shown of an address holds no password", () => {
  const address = parsePostgresUrl("postgresql://me:hidden-5521@[fe80::1]:6543/loopx", "store.url");
  expect(renderPostgresAddress(address)).toBe("postgresql://me@[fe80::1]:6543/loopx");
});
