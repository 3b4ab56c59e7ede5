import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { startRawMcpServer, type ProtocolLine } from "../../support/raw-mcp-server.ts";
import { readField, readText } from "../../support/read-field.ts";

let world: World;

beforeAll(async () => {
  world = createWorld();
  await world.call(["bootstrap", "--objective=Ship the importer", "--goal-id=importer-goal"]);
  await world.call(["register-agent", "--goal-id=importer-goal", "--agent-id=codex-main", "--execute"]);
});
afterAll(() => world.remove());

const ADD = { goal_id: "importer-goal", agent_id: "codex-main" };

function packetOf(line: ProtocolLine): unknown {
  return JSON.parse(readText(line, "result", "content", 0, "text"));
}

describe("stdout", () => {
  test("carries the protocol and nothing else, whatever a tool says or refuses", async () => {
    const server = await startRawMcpServer(world, { command: ["mcp", "--verbose"] });
    for (const name of ["status", "doctor", "history", "todo_add"])
      await server.ask("tools/call", { name, arguments: ADD });
    await server.ask("tools/call", { name: "todo_add", arguments: { ...ADD, text: "\u001b[2J\r\nContent-Length: 5" } });
    await server.ask("tools/call", { name: "no_such_tool" });
    await server.ask("no/such/method");
    server.closeInput();
    const { stdout, exitCode } = await server.ended;
    const lines = stdout.split("\n");
    expect(lines.pop()).toBe("");
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(exitCode).toBe(0);
  });

  test("stays empty where a line cannot be run at all", async () => {
    const unknown = await startRawMcpServer(world, { command: ["mcp", "--bogus"] }, false);
    const end = await unknown.ended;
    expect(end).toMatchObject({ stdout: "", exitCode: 2 });
    expect(end.stderr).toContain("--bogus");
    const nowhere = await startRawMcpServer(world, { command: ["mcp", "--project=no/such/folder"] }, false);
    expect(await nowhere.ended).toMatchObject({ stdout: "", exitCode: 4 });
  });
});

describe("what a client sends", () => {
  test("that is malformed is not answered as something else, and the server goes on", async () => {
    const server = await startRawMcpServer(world);
    const secret = `ghp_${"a1B2".repeat(9)}`;
    for (const line of [
      "",
      "not json",
      `{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"${secret}`,
      "[]",
      "null",
      "5",
      '{"jsonrpc":"1.0","id":51,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":52,"result":{}}',
      '\u0000\u0001{"jsonrpc":"2.0"}',
    ])
      server.write(`${line}\n`);
    for (const params of [{}, { name: 5 }, { name: "status", arguments: "x" }, { name: "status", arguments: [1] }]) {
      expect(readField(await server.ask("tools/call", params), "error", "code")).toBe(-32_602);
    }
    for (const [method, params] of [
      ["resources/read", {}],
      ["resources/list", { cursor: "x" }],
      ["prompts/get", { name: "loopx", arguments: { goal_text: 5 } }],
      ["no/such/method", {}],
    ] as const)
      expect(readField(await server.ask(method, params), "error", "code")).toBeLessThan(0);
    expect(packetOf(await server.ask("tools/call", { name: "status", arguments: {} }))).toMatchObject({ ok: true });
    server.closeInput();
    const { stdout, stderr, exitCode } = await server.ended;
    expect(exitCode).toBe(0);
    expect(stdout + stderr).not.toContain(secret);
    expect(stdout + stderr).not.toMatch(/\n\s+at |node_modules|file:\/\//);
  });

  test("that is big is refused by its limit, in pieces or whole", async () => {
    const server = await startRawMcpServer(world);
    const text = "word ".repeat(200_000);
    const refused = packetOf(await server.ask("tools/call", { name: "todo_add", arguments: { ...ADD, text } }));
    expect(readField(refused, "error", "code")).toBe("text_too_long");
    expect(JSON.stringify(refused).length).toBeLessThan(1000);
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`argument_${at}`, at]));
    const unknown = packetOf(await server.ask("tools/call", { name: "todo_add", arguments: many }));
    expect(readField(unknown, "error", "code")).toBe("unknown_flag");
    const message = JSON.stringify({ jsonrpc: "2.0", id: 77, method: "tools/list" });
    for (const part of [message.slice(0, 10), message.slice(10), "\n"]) {
      server.write(part);
      await pause(5);
    }
    expect(packetOf(await server.ask("tools/call", { name: "status", arguments: {} }))).toMatchObject({ ok: true });
    server.closeInput();
    expect((await server.ended).stdout).toContain('"id":77');
  });

  test("that never ends is not kept: the server ends instead", async () => {
    const server = await startRawMcpServer(world);
    server.write("x".repeat(12 * 1024 * 1024));
    expect(await server.ended).toMatchObject({ signal: null, exitCode: 0 });
  });
});

describe("the end", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("comes with %s, cleanly", async (signal) => {
    const server = await startRawMcpServer(world);
    server.signal(signal);
    expect(await server.ended).toMatchObject({ exitCode: 0, signal: null, stderr: "" });
  });

  test("comes when stdin closes, before or after the handshake", async () => {
    const idle = await startRawMcpServer(world, {}, false);
    idle.closeInput();
    expect(await idle.ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    const open = await startRawMcpServer(world);
    open.closeInput();
    expect(await open.ended).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("comes when nobody reads stdout any more", async () => {
    const server = await startRawMcpServer(world);
    server.closeOutput();
    server.write(`${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/list" })}\n`);
    server.write(`${JSON.stringify({ jsonrpc: "2.0", id: 10, method: "tools/list" })}\n`);
    expect(await server.ended).toMatchObject({ signal: null, exitCode: 0 });
  });

  test("comes with SIGTERM though the host reads none of its answers", async () => {
    const server = await startRawMcpServer(world);
    server.stopReading();
    for (let id = 100; id < 300; id += 1) {
      server.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`);
    }
    await pause(300);
    server.signal("SIGTERM");
    expect(await server.gone).toBe(0);
    server.closeOutput();
    expect((await server.ended).stderr).toBe("");
  });

  test("leaves a write that was under way whole", async () => {
    for (const end of ["closeInput", "signal"] as const) {
      const server = await startRawMcpServer(world);
      const text = `Written as the server ended by ${end}`;
      const call = { name: "todo_add", arguments: { ...ADD, text } };
      server.write(`${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params: call })}\n`);
      if (end === "closeInput") server.closeInput();
      else server.signal("SIGTERM");
      const { stdout, exitCode } = await server.ended;
      expect(exitCode).toBe(0);
      const listed = JSON.stringify(await world.call(["todo", "list", "--goal-id=importer-goal"]));
      const wasAnswered = stdout.includes('"id":9');
      // An answer is given only for what was stored; unanswered, it may have been stored all the same.
      if (wasAnswered && !stdout.includes("interrupted")) expect(listed).toContain(text);
      expect(await world.call(["doctor"])).toMatchObject({ ok: true });
    }
  });
});
