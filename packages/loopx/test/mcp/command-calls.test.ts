import { toInstant } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import type { CommandInput, CommandLoaders } from "../../src/commands/command-handler.ts";
import { openCommandCalls, type CommandCalls } from "../../src/mcp/command-calls.ts";

type Status = (input: CommandInput<"status">) => Promise<object>;

/** Calls whose one command is `status`, as given, in a server with this environment at a terminal. */
function openCalls(status: Status, env: Readonly<Record<string, string>> = {}): CommandCalls {
  const loaders: Partial<CommandLoaders> = {
    status: async () => ({ run: async (input) => ({ packet: await status(input), text: () => "" }) }),
  };
  return openCommandCalls({
    flags: { runChecks: false },
    positionals: [],
    globals: { format: "text", quiet: false, verbose: false, noColor: false },
    ambient: { now: () => toInstant(0), newId: (prefix) => `${prefix}_0`, env, cwd: "." },
    facts: { isStdinTerminal: true, isStdoutTerminal: true, isStderrTerminal: true, columns: 80 },
    loaders,
    mayRunChecks: true,
    note: () => undefined,
    onInterrupt: () => undefined,
    untilInterrupted: async () => undefined,
  });
}

const look: Status = async ({ facts, mayRunChecks, ambient }) => ({
  terminal: facts.isStdinTerminal || facts.isStdoutTerminal || facts.isStderrTerminal,
  mayRunChecks,
  env: ambient.env,
});

async function seeWorld(env: Readonly<Record<string, string>>, threadId?: string): Promise<object> {
  return (await openCalls(look, env).run({ argv: ["status"], threadId })).packet;
}

/** A command that starts a child once it is let, and answers when that is ended. */
function startLater(): { readonly status: Status; readonly letStart: () => void } {
  const gate = new EventTarget();
  const isOpen = new Promise((resolve) => {
    gate.addEventListener("open", resolve);
  });
  const status: Status = async ({ onInterrupt }) => {
    await isOpen;
    await new Promise<void>((ended) => {
      onInterrupt(ended);
    });
    return { ended: true };
  };
  return { status, letStart: () => void gate.dispatchEvent(new Event("open")) };
}

describe("the world of a call", () => {
  test("has no terminal, no check that may run, and a marker that says agent", async () => {
    const seen = { terminal: false, mayRunChecks: false };
    expect(await seeWorld({ HOME: "h" })).toEqual({ ...seen, env: { HOME: "h", AI_AGENT: "mcp" } });
    expect(await seeWorld({ CLAUDECODE: "1" })).toEqual({ ...seen, env: { CLAUDECODE: "1" } });
    expect(await seeWorld({ CODEX_THREAD_ID: "thr-0" })).toEqual({ ...seen, env: { AI_AGENT: "mcp" } });
    expect(await seeWorld({ CODEX_THREAD_ID: "thr-0" }, "thr-1")).toMatchObject({ env: { CODEX_THREAD_ID: "thr-1" } });
  });
});

describe("the end of a call", () => {
  test("ends what was started, before the server stops or after", async () => {
    for (const order of ["before", "after"]) {
      const { status, letStart } = startLater();
      const calls = openCalls(status);
      const answer = calls.run({ argv: ["status"] });
      if (order === "before") letStart();
      await Promise.resolve();
      const stopped = calls.stop();
      letStart();
      await stopped;
      expect(await answer).toEqual({ packet: { ended: true }, exitCode: 0 });
    }
  });

  test("ends what was started when the client takes its request back, before the start or after", async () => {
    for (const order of ["before", "after"]) {
      const { status, letStart } = startLater();
      const request = new AbortController();
      const answer = openCalls(status).run({ argv: ["status"], signal: request.signal });
      if (order === "before") letStart();
      await new Promise((resolve) => setImmediate(resolve));
      request.abort();
      letStart();
      expect(await answer).toEqual({ packet: { ended: true }, exitCode: 0 });
    }
  });

  test("is the end of all: nothing runs after it", async () => {
    const calls = openCalls(async () => ({ ok: true }));
    await calls.stop();
    expect(await calls.run({ argv: ["status"] })).toMatchObject({ packet: { error: { code: "interrupted" } } });
  });
});
