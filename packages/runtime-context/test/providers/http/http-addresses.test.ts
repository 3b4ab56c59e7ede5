import { createServer, type AddressInfo } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { LOOKUP, TURN } from "../provider-cases.ts";
import { GOOD_RESPONSE, openClient } from "./http-cases.ts";
import { startRawServer } from "./raw-server.ts";
import { EXPIRED_CERTIFICATE, OTHER_HOST_CERTIFICATE, TLS_KEY, TRUSTED_CERTIFICATE } from "./tls-certificates.ts";

const ALL = { isAllowed: () => true };
const REFUSED = { status: "UNAVAILABLE", reason: "ADDRESS_REFUSED", items: [] };

describe("addresses", () => {
  test("a literal is judged although no resolver is asked (S4)", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    let asked = 0;
    const resolveHost = async (): Promise<readonly string[]> => [String((asked += 1))];
    const policy = { isAllowed: (address: string) => address !== "127.0.0.1" };
    expect(await openClient(server.url, {}, { policy, resolveHost }).lookup(LOOKUP, TURN)).toMatchObject(REFUSED);
    expect([asked, server.connectionCount()]).toEqual([0, 0]);
  });

  test("each spelling of a loopback address is the one that is judged (S2)", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const { port } = new URL(server.url);
    for (const host of ["2130706433", "0177.0.0.1", "0x7f.1", "127.1", "①②⑦.0.0.1"]) {
      const judged: string[] = [];
      const policy = { isAllowed: (address: string) => judged.push(address) < 0 };
      expect(await openClient(`http://${host}:${port}/`, {}, { policy }).lookup(LOOKUP, TURN)).toMatchObject(REFUSED);
      expect(judged).toEqual(["127.0.0.1"]);
    }
    expect(server.connectionCount()).toBe(0);
  });

  test.each([
    ["one blocked address among good ones", ["127.0.0.1", "169.254.169.254"]],
    ["an address with a zone (S10)", ["fe80::1%eth0"]],
    ["something that is no address", ["127.1"]],
    ["a mapped address", ["::ffff:169.254.169.254"]],
  ])("%s refuses the lookup before any connection (S3, S5)", async (_name, addresses) => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const url = server.url.replace("127.0.0.1", "localhost");
    expect(await openClient(url, {}, { resolveHost: async () => addresses }).lookup(LOOKUP, TURN)).toMatchObject(
      REFUSED,
    );
    expect(server.connectionCount()).toBe(0);
  });

  test("a name that turns to another address after it was checked is refused on the next connection (S5)", async () => {
    const server = await startRawServer((socket) =>
      socket.end(GOOD_RESPONSE.replace("content-type", "connection: close\r\ncontent-type")),
    );
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    const client = openClient(
      server.url.replace("127.0.0.1", "localhost"),
      {},
      { resolveHost: async () => answers.shift() ?? [] },
    );
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject(REFUSED);
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "DNS_FAILED" });
  });

  test("plain HTTP goes to loopback only, whatever the policy says (S12)", async () => {
    const client = openClient("http://localhost:8080/", {}, { policy: ALL, resolveHost: async () => ["192.0.2.1"] });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject(REFUSED);
  });

  test("localhost that is both ::1 and 127.0.0.1 reaches a server on one of them", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const url = server.url.replace("127.0.0.1", "localhost");
    const client = openClient(url, {}, { resolveHost: async () => ["::1", "127.0.0.1"] });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
  });

  test("a resolver that fails is UNAVAILABLE, one that hangs is a TIMEOUT", async () => {
    const failing = openClient(
      "http://localhost:8080/",
      {},
      { resolveHost: () => Promise.reject(new Error("ENOTFOUND")) },
    );
    expect(await failing.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "DNS_FAILED" });
    const hanging = openClient(
      "http://localhost:8080/",
      { timeoutMs: 50 },
      { resolveHost: () => new Promise(() => undefined) },
    );
    expect(await hanging.lookup(LOOKUP, TURN)).toMatchObject({ status: "TIMEOUT" });
  });

  test("nobody listening is CONNECTION_REFUSED", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const outcome = await openClient(`http://127.0.0.1:${port}/`).lookup(LOOKUP, TURN);
    expect(outcome).toMatchObject({ status: "UNAVAILABLE", reason: "CONNECTION_REFUSED" });
  });

  test("proxies in the environment are not used (S7)", async () => {
    const proxy = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = proxy.url;
    onTestFinished(
      () => void (before === undefined ? delete process.env["HTTP_PROXY"] : (process.env["HTTP_PROXY"] = before)),
    );
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    await openClient(server.url).lookup(LOOKUP, TURN);
    expect(proxy.connectionCount()).toBe(0);
  });
});

async function startTls(cert: string, options: TlsOptions = {}): Promise<{ url: string; serverNames: string[] }> {
  const serverNames: string[] = [];
  const server = createTlsServer({ key: TLS_KEY, cert, ...options }, (socket) => {
    serverNames.push(String(socket.servername));
    socket.on("error", () => undefined);
    socket.on("data", () => socket.write(GOOD_RESPONSE));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/lookup`, serverNames };
}

describe("TLS (S11)", () => {
  const trusted = { certificateAuthorities: [TRUSTED_CERTIFICATE, OTHER_HOST_CERTIFICATE, EXPIRED_CERTIFICATE] };

  test("a trusted certificate of the bound host is accepted, and the host is named to the server", async () => {
    const { url, serverNames } = await startTls(TRUSTED_CERTIFICATE);
    const client = openClient(url, {}, { ...trusted, policy: ALL, resolveHost: async () => ["127.0.0.1"] });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", attempts: 1 });
    expect(serverNames).toEqual(["localhost"]);
  });

  test.each([
    ["self-signed", TRUSTED_CERTIFICATE, {}, "TLS_DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["of another host", OTHER_HOST_CERTIFICATE, trusted, "TLS_CERT_ALTNAME_INVALID"],
    ["expired", EXPIRED_CERTIFICATE, trusted, "TLS_CERT_HAS_EXPIRED"],
  ])("a certificate that is %s is UNAVAILABLE with its code", async (_name, certificate, parts, reason) => {
    const { url } = await startTls(certificate);
    const client = openClient(url, {}, { ...parts, policy: ALL, resolveHost: async () => ["127.0.0.1"] });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason, items: [] });
  });

  test("TLS 1.1 is refused", async () => {
    const { url } = await startTls(TRUSTED_CERTIFICATE, {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "ALL@SECLEVEL=0",
    });
    const client = openClient(url, {}, { ...trusted, policy: ALL, resolveHost: async () => ["127.0.0.1"] });
    expect((await client.lookup(LOOKUP, TURN)).reason).toMatch(/^TLS_/);
  });

  test("a server without TLS where TLS is bound, and one that hangs in the handshake", async () => {
    const plain = await startRawServer(() => undefined);
    const { port } = new URL(plain.url);
    const parts = { ...trusted, policy: ALL, resolveHost: async () => ["127.0.0.1"] };
    const client = openClient(`https://localhost:${port}/`, { timeoutMs: 80 }, parts);
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "TIMEOUT" });
    await plain.whenClosed();
    const talking = createServer((socket) =>
      socket.on("error", () => undefined).end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    );
    await new Promise<void>((resolve) => talking.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void talking.close());
    const other = openClient(`https://localhost:${(talking.address() as AddressInfo).port}/`, {}, parts);
    expect((await other.lookup(LOOKUP, TURN)).reason).toMatch(/^TLS_/);
  });
});
