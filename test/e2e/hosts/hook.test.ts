import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findSensitive, parseShellWords } from "@loopx/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { createWorld, type RunOptions } from "../../support/cli-world.ts";
import { HOST_PAYLOADS, readHostPayload } from "../../support/host-payload.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runProgram, type ProgramResult } from "../../support/run-program.ts";
import { digestTrees } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

const world = createWorld({ projectName: "リンク demo" });
afterAll(world.remove);

const SILENT = { exitCode: 0, stdout: "", stderr: "" };

function hook(words: readonly string[], input: string, options: RunOptions = {}): Promise<ProgramResult> {
  return runProgram(process.execPath, [world.program, "hook", ...words], {
    cwd: options.cwd ?? world.directory,
    env: { ...world.env, ...options.env },
    input,
  });
}

/** The text a host would put before the model, and the packet in it. */
function readContext(json: unknown): { readonly event: unknown; readonly packet: unknown } {
  const answer = json as {
    readonly additional_context?: string;
    readonly hookSpecificOutput?: { readonly hookEventName: string; readonly additionalContext: string };
  };
  const context = answer.additional_context ?? answer.hookSpecificOutput?.additionalContext ?? "";
  return {
    event: answer.hookSpecificOutput?.hookEventName,
    packet: JSON.parse(context.slice(context.indexOf("{"))) as unknown,
  };
}

describe.each(HOST_PAYLOADS)("the payload $file", ({ host, file, surface }) => {
  const words = host === "codex" ? [host, `--host-surface=${surface}`] : [host];

  test("with a command is answered with its handoff, and nothing is written", async () => {
    verifies("hosts.parse.before-prompt", "hosts.handoff.packet", "hosts.no-new-authority");
    const before = digestTrees(world.directory);
    const { json, stderr, exitCode } = await hook(words, readHostPayload(file, world.project));
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const { event, packet } = readContext(json);
    expect(event).toBe(
      host === "cursor"
        ? undefined
        : (JSON.parse(readHostPayload(file, "")) as { hook_event_name: string }).hook_event_name,
    );
    expect(packet).toMatchObject({
      schema_version: "codex_app_host_command_handoff_v0",
      canonical_command: "/loopx <goal text>",
      task_text: "Fix the flaky login test",
      project_root_label: "リンク demo",
      host_surface: "chat_box",
    });
    expect(packet).toHaveProperty("cli_command", expect.stringContaining(`--host-surface=${surface} --thread-id=`));
    expect(findRefusedCommands(packet)).toEqual([]);
    expect(findSensitive(JSON.stringify(json))).toEqual([]);
    expect(digestTrees(world.directory)).toBe(before);
  });

  test.each([
    "Fix the flaky login test",
    "",
    " /loopx",
    "/loopxyz",
    "/loopx.x",
    "/loopx\u00a0x",
    "/loopx-project x",
    "see /loopx",
  ])("with an ordinary prompt is answered with silence: %j", async (prompt) => {
    verifies("hosts.parse.exact-token");
    expect(await hook(words, readHostPayload(file, world.project, prompt))).toMatchObject(SILENT);
  });

  test("with an unknown command is blocked with the help", async () => {
    verifies("hosts.parse.unknown-fails-closed");
    const { json, exitCode } = await hook(words, readHostPayload(file, world.project, "/loopx-deploy now"));
    expect(exitCode).toBe(0);
    expect(readReason(json)).toContain("  /loopx <goal text>");
    expect(readReason(json)).not.toContain("deploy");
  });

  test("with a credential in the task is blocked, and the credential is in neither stream", async () => {
    verifies("hosts.handoff.nothing-private");
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const { json, stdout, stderr } = await hook(
      words,
      readHostPayload(file, world.project, `/loopx push with ${secret}`),
    );
    expect(readReason(json)).toContain("task_text holds a credential (github_token)");
    expect(`${stdout}${stderr}`).not.toContain(secret);
  });
});

/** Why a host stops the prompt, by its own words. */
function readReason(json: unknown): string {
  const answer = json as Readonly<Record<string, unknown>>;
  if (answer["continue"] === false) return String(answer["user_message"]);
  return answer["decision"] === "block" || answer["decision"] === "deny" ? String(answer["reason"]) : "";
}

function payload(prompt: string): string {
  return readHostPayload("claude-code.user-prompt-submit.json", world.project, prompt);
}

describe("a hook", () => {
  test.each(["", "{", "null", "[]", "hello", '{"prompt":7}', '{"prompt":"/loopx","hook_event_name":"Stop"}', "\u0000"])(
    "is silent for a payload that is none: %j",
    async (input) => {
      for (const host of ["claude-code", "codex", "cursor", "gemini"])
        expect(await hook([host], input)).toMatchObject(SILENT);
    },
  );

  test("stops nobody's message when it is set up wrongly, and says so when LoopX is asked for", async () => {
    for (const words of [[], ["claude"], ["claude-code", "--nonsense"], ["codex", "--host-surface=codex"]]) {
      expect(await hook(words, payload("fix it"))).toMatchObject(SILENT);
      const { exitCode, stderr } = await hook(words, payload("/loopx fix it"));
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^error: /);
    }
  });

  test("in no project hands over the setup packet instead of a start", async () => {
    verifies("project.unresolved-root-writes-nothing");
    const input = readHostPayload("claude-code.user-prompt-submit.json", world.home, "/loopx fix it");
    const { packet } = readContext((await hook(["claude-code"], input)).json);
    expect(packet).toMatchObject({ schema_version: "loopx_host_command_setup_v0", state: "project_not_resolved" });
  });

  test("in a folder below the root names the root relative to it", async () => {
    const nested = world.addProject("outer");
    const folder = `${nested}/a/b`;
    spawnSync("mkdir", ["-p", folder]);
    const input = readHostPayload("claude-code.user-prompt-submit.json", folder, "/loopx");
    expect(readContext((await hook(["claude-code"], input)).json).packet).toMatchObject({
      project_root_label: "outer",
      cli_argv: ["loopx", "bootstrap-command-pack", "--project=../.."],
    });
  });

  test("names no surface where the host has several and none was given", async () => {
    const input = readHostPayload("codex.user-prompt-submit.json", world.project);
    const { packet } = readContext((await hook(["codex"], input)).json);
    expect(JSON.stringify(packet)).not.toContain("--host-surface");
  });

  test("keeps a long task within the host's cap, and the command it names prints the whole handoff", async () => {
    const text = `${"字".repeat(4000)} '$(id)' \\`;
    const { packet } = readContext((await hook(["claude-code"], payload(`/loopx ${text}`))).json);
    expect(findRefusedCommands(packet)).toEqual([]);
    const { handoff_command: command, task_text_digest: digest } = packet as Readonly<Record<string, string>>;
    const [, ...words] = String(command).split(" ");
    const whole = await world.call(words, { input: `/loopx ${text}` });
    expect(whole).toMatchObject({ task_text: text, task_text_digest: digest });
  });

  test("a task longer than the host's cap reaches the goal's objective byte for byte by the printed commands", async () => {
    verifies("hosts.parse.text-is-exact", "start.text-is-exact");
    const own = createWorld({ projectName: "long" });
    try {
      const text = `it's 😀 "x" $(id) \`id\`\n\t字 $& `.repeat(300).slice(0, 10_000);
      const input = readHostPayload("claude-code.user-prompt-submit.json", own.project, `/loopx ${text}`);
      const answer = await runProgram(process.execPath, [own.program, "hook", "claude-code"], {
        cwd: own.directory,
        env: own.env,
        input,
      });
      const { packet } = readContext(answer.json);
      const [, ...words] = parseShellWords(readText(packet, "handoff_command"));
      // As an agent's shell hands it over: with a last newline that was not typed.
      const whole = await own.call([...words, "--from-heredoc"], { input: `/loopx ${text}\n` });
      expect(readField(whole, "task_text_digest")).toBe(readField(packet, "task_text_digest"));
      const start = await own.call(parseShellWords(readText(whole, "cli_command")).slice(1));
      const steps = readField(start, "guided_transaction", "ordered_steps") as readonly { readonly command?: string }[];
      const connect = steps.find(({ command }) => command?.startsWith("loopx bootstrap ") === true)?.command ?? "";
      await own.call(parseShellWords(connect).slice(1));
      expect(readField(await own.call(["goal", "show"]), "goal", "objective")).toBe(text);
    } finally {
      own.remove();
    }
  });

  test("keeps of a host's payload the thread id alone, also once the thread is bound", async () => {
    verifies("identity.nothing-private-is-kept", "hosts.no-hidden-runner");
    const own = createWorld({ projectName: "kept" });
    try {
      const input = readHostPayload("claude-code.user-prompt-submit.json", own.project, "/loopx Fix it");
      const before = digestTrees(own.directory);
      const answer = await runProgram(process.execPath, [own.program, "hook", "claude-code"], {
        cwd: own.directory,
        env: own.env,
        input,
      });
      expect(digestTrees(own.directory)).toBe(before);
      const { packet } = readContext(answer.json);
      const start = await own.call(parseShellWords(readText(packet, "cli_command")).slice(1));
      const steps = readField(start, "guided_transaction", "ordered_steps") as readonly { readonly command?: string }[];
      for (const { command = "" } of steps) {
        if (/^loopx (?:bootstrap|register-agent|bind-agent-thread) /.test(command)) {
          await own.call(parseShellWords(command).slice(1));
        }
      }
      const project = readFileSync(join(own.project, ".loopx/state.db"), "latin1");
      const home = readFileSync(join(own.home, ".codex/loopx/home.db"), "latin1");
      for (const store of [project, home]) {
        expect(store).toContain(readText(packet, "thread_id"));
        expect(store).not.toMatch(/transcript|\.jsonl|\/home\/someone|permission_mode/);
      }
      expect(findSensitive(project)).toEqual([]);
      const bind = `bind-agent-thread --goal-id=${readText(start, "goal_id")} --agent-id=${readText(start, "agent_id")}`;
      for (const threadId of ["/home/someone/chat", "ghp_0123456789abcdefghijABCDEFGHIJ012345"]) {
        const words = [...bind.split(" "), "--host-surface=claude-code", `--thread-id=${threadId}`, "--execute"];
        const refused = await own.run(words);
        expect(refused.exitCode).toBe(2);
        expect(`${refused.stdout}${refused.stderr}`).not.toContain(threadId);
      }
    } finally {
      own.remove();
    }
  });

  test("refuses a task that the host sent with broken bytes instead of changing it", async () => {
    const [head = "", tail = ""] = payload("/loopx caf#").split("#");
    const input = Buffer.concat([Buffer.from(head), Buffer.from([0xc3]), Buffer.from(tail)]);
    const { stdout, status } = spawnSync(process.execPath, [world.program, "hook", "claude-code"], {
      input,
      env: { ...world.env },
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(readReason(JSON.parse(stdout))).toContain("not UTF-8");
  });

  test("shows its help to who asks, without waiting for stdin", async () => {
    expect((await hook(["--help"], "")).stdout).toContain("Answer a host's prompt hook");
  });

  test.skipIf(spawnSync("python3", ["--version"]).error !== undefined)(
    "waits for a host that hands over a non-blocking pipe and writes late, in pieces",
    () => {
      const script = `
      import fcntl, os, subprocess, sys, time
      reader, writer = os.pipe()
      fcntl.fcntl(reader, fcntl.F_SETFL, fcntl.fcntl(reader, fcntl.F_GETFL) | os.O_NONBLOCK)
      child = subprocess.Popen(sys.argv[2:], stdin=reader, stdout=subprocess.PIPE)
      os.close(reader)
      time.sleep(0.3)
      half = len(sys.argv[1]) // 2
      os.write(writer, sys.argv[1][:half].encode())
      time.sleep(0.3)
      os.write(writer, sys.argv[1][half:].encode())
      os.close(writer)
      out = child.communicate()[0]
      print(len(out) > 0, child.returncode)`.replaceAll(/^ {6}/gm, "");
      const run = (prompt: string): string =>
        spawnSync("python3", ["-c", script, payload(prompt), process.execPath, world.program, "hook", "claude-code"], {
          env: { ...world.env },
          encoding: "utf8",
        }).stdout;
      expect([run("/loopx fix it"), run("fix it")]).toEqual(["True 0\n", "False 0\n"]);
    },
  );

  test("is silent when its stdin is closed", () => {
    const outcome = spawnSync("sh", ["-c", 'exec "$1" "$2" hook codex <&-', "sh", process.execPath, world.program], {
      env: { ...world.env },
      encoding: "utf8",
    });
    expect(outcome).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });
});
