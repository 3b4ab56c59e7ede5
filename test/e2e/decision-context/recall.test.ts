import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMcpSession } from "../../support/mcp-session.ts";
import { runProgram } from "../../support/run-program.ts";
import { verifies } from "../../support/verifies.ts";
import { CANARIES, createRecallWorld, digestTree, findTexts, type RecallWorld } from "../../support/recall-world.ts";

let world: RecallWorld;
beforeAll(async () => {
  world = await createRecallWorld();
});
afterAll(() => world.remove());

describe("a one-off recall", () => {
  test("finds what a session said, and changes no file of project, home or profile", async () => {
    verifies("advisory.recall-changes-nothing", "advisory.one-off-content", "deep-link.recall-scope");
    const before = digestTree(world.directory);
    const packet = await world.recall(`${CANARIES.query} about the pilot`);
    expect(packet).toMatchObject({
      ok: true,
      provider: "canary-history",
      visibility: "local_private_transient",
      results: [{ content: `${CANARIES.content}: a bounded pilot`, content_may_instruct: false }],
      cursor_state_mutated: false,
      profile_write_performed: false,
    });
    expect(digestTree(world.directory)).toEqual(before);
    expect(JSON.stringify(packet)).not.toMatch(/CANARY-(?!content)/);
  });

  test("hands a scope to the provider that no host's syntax is in, and refuses what is no link", async () => {
    verifies("advisory.scope-is-normalised");
    const [link, scope] = [
      await world.recall("pilot"),
      await world.recall("pilot", [`--context-scope-ref=host-session:codex:${CANARIES.thread}`]),
    ];
    expect(link["retrieval_receipt"]).toMatchObject({
      results: (scope["retrieval_receipt"] as { results: object }).results,
    });
    const refused = await world.recall("pilot", ["--thread-link=codex://threads/new"]);
    expect(refused).toMatchObject({ ok: false, error: { code: "thread_agent_binding_invalid_request" } });
    const both = await world.recall("pilot", [
      "--thread-link=codex://threads/a",
      "--context-scope-ref=host-session:codex:a",
    ]);
    expect(both).toMatchObject({ ok: false, error: { category: "usage" } });
  });

  test.each([
    ["crash", "nonzero_exit"],
    ["noise", "response_not_json_object"],
    ["null score", "contract: /items/0/score"],
  ])("that fails by %s is an answer with exit code 0; why is said with --verbose only", async (query, why) => {
    verifies("advisory.degrades", "advisory.compact-errors");
    const words = ["decision-context", "recall-context", "--goal-id=g1", "--agent-id=a1", `--profile=${world.profile}`];
    const asked = [...words, `--query=${query}`, "--context-scope-ref=host-session:codex:a"];
    const quiet = await world.run(asked);
    expect([quiet.exitCode, quiet.stderr]).toEqual([0, ""]);
    expect(quiet.json).toMatchObject({ status: "unavailable", reason_code: "provider_retrieval_failed" });
    const verbose = await world.run([...asked, "--verbose"]);
    expect(verbose.stderr).toContain(why);
    expect(verbose.stderr).not.toContain("CANARY");
  });

  test("as text says where each item comes from, why it matched, and fences it", async () => {
    const words = [
      "recall-context",
      "--goal-id=g1",
      "--agent-id=a1",
      `--profile=${world.profile}`,
      "--query=bounded pilot",
    ];
    const argv = [world.program, "decision-context", ...words, "--thread-link=codex://threads/a"];
    const { stdout, exitCode } = await runProgram(process.execPath, argv, { cwd: world.project, env: world.env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/1\. Historical task user \(provider-[0-9a-f]{20}, from canary-history 0\.1\.0\)/);
    expect(stdout).toContain("matched bounded, pilot; score 0.5");
    expect(stdout).toContain("advice from the past, kept nowhere: check it against what is true now");
    expect(stdout).toMatch(/\[\[loopx-data (\S+) recall=[\s\S]*\[\[loopx-data-end \1\]\]/);
  });
});

test.each([
  ["own reason", "unavailable  archive_closed", undefined],
  ["crash", "unavailable  provider_retrieval_failed", "loopx extension doctor --execute canary-history"],
])("one that fails by %s sends nobody to a profile that is in order", async (query, said, next) => {
  const argv = [world.program, "decision-context", "recall-context", "--goal-id=g1", "--agent-id=a1"];
  const words = [...argv, `--profile=${world.profile}`, "--context-scope-ref=host-session:codex:a", `--query=${query}`];
  const { stdout } = await runProgram(process.execPath, words, { cwd: world.project, env: world.env });
  expect(stdout).toContain(said);
  expect(stdout).not.toContain("check it against");
  expect(/^next\n {2}(.*)$/m.exec(stdout)?.[1]).toBe(next);
});

test("one whose extension is out of use says what mends it, and the same call works again then", async () => {
  await world.call(["extension", "disable", "canary-history", "--execute"]);
  expect(await world.recall("pilot")).toMatchObject({
    reason_code: "extension_disabled",
    provider_readiness: { next_action: "enable_extension" },
  });
  const argv = [world.program, "decision-context", "recall-context", "--goal-id=g1", "--agent-id=a1", "--query=pilot"];
  const words = [...argv, `--profile=${world.profile}`, "--context-scope-ref=host-session:codex:a"];
  const { stdout } = await runProgram(process.execPath, words, { cwd: world.project, env: world.env });
  expect(stdout).toContain("loopx extension enable --execute canary-history");
  await world.call(["extension", "enable", "canary-history", "--execute", `--owner-token-file=${world.token}`]);
  expect(await world.recall("pilot")).toMatchObject({ ok: true });
});

describe("an assembly of evidence", () => {
  test.each([
    ["pilot", null],
    ["crash", "provider_retrieval_failed"],
    ["noise", "provider_retrieval_failed"],
    ["null score", "provider_retrieval_failed"],
  ])("reads its sources whatever becomes of recall: %s", async (query, reason) => {
    verifies("advisory.sources-go-on", "advisory.content-in-process");
    const packet = await world.decide("prepare-evidence", [`--query=${query}`]);
    expect(packet["assembly"]).toMatchObject({
      source_scan_receipts: [{ status: "completed", exact_read_count: 1 }],
      context_retrieval_receipt: { reason_code: reason, result_count: reason === null ? 1 : 0 },
    });
    expect(JSON.stringify(packet)).not.toContain("CANARY");
  });

  test("whose source can't be read names no review as its next step", async () => {
    const authority = join(world.home, "authority.md");
    renameSync(authority, `${authority}.away`);
    const argv = [world.program, "decision-context", "prepare-evidence", "--goal-id=g1", "--agent-id=a1"];
    const words = [...argv, `--profile=${world.profile}`, "--decision-id=d1"];
    const { stdout } = await runProgram(process.execPath, words, { cwd: world.project, env: world.env });
    renameSync(`${authority}.away`, authority);
    expect(stdout).toContain("once every required source can be read\n  loopx decision-context prepare-evidence");
    expect(stdout).not.toContain("prepare-review");
  });

  test("that is kept for its review keeps the public receipt only", async () => {
    const noChange = join(world.directory, "no-change.json");
    writeFileSync(noChange, '{"semantic_no_change":true}');
    const words = [`--query=${CANARIES.query}`, `--rebase-json=${noChange}`, "--execute"];
    expect(await world.decide("prepare-review", words)).toMatchObject({ pending_settlement_written: true });
  });
});

test("without a profile, or between two extensions that could answer, one says what is to be named", async () => {
  const argv = [world.program, "decision-context", "recall-context", "--goal-id=g1", "--agent-id=a1", "--query=pilot"];
  const show = async (...more: readonly string[]): Promise<string> => {
    const words = [...argv, "--context-scope-ref=host-session:codex:a", ...more];
    return (await runProgram(process.execPath, words, { cwd: world.project, env: world.env })).stdout;
  };
  expect(await show()).toContain("no profile was given");
  const owner = ["--execute", `--owner-token-file=${world.token}`];
  await world.call(["extension", "install", "--bundled=session-history", ...owner]);
  expect(await show(`--profile=${world.profile}`)).toContain("name one in the profile, as context_provider.config");
  await world.call(["extension", "disable", "session-history", "--execute"]);
  const obelisk = await world.run(["extension", "install", "--bundled=loopx-obelisk", ...owner]);
  expect(obelisk).toMatchObject({
    json: { error: { code: "extension_not_ready", hint: expect.stringContaining("install Obelisk first") } },
  });
});

describe("over MCP", () => {
  const asked = { goal_id: "g1", agent_id: "a1", query: "bounded pilot", context_scope_ref: "host-session:codex:a" };
  const tool = "decision_context_recall_context";

  test("is offered where whoever starts the server names the profile, and only by that one", async () => {
    const session = await openMcpSession(world, { flags: [`--recall-profile=${world.profile}`] });
    const { tools } = await session.client.listTools();
    const offered = tools.find(({ name }) => name === tool);
    expect(offered?.annotations).toMatchObject({ openWorldHint: true, destructiveHint: false });
    expect(Object.keys(offered?.inputSchema.properties ?? {})).not.toContain("profile");
    const files = digestTree(world.directory);
    expect(await session.done(tool, asked)).toMatchObject({
      ok: true,
      visibility: "local_private_transient",
      results: [{ content_trust: "untrusted_advisory", content_may_instruct: false }],
    });
    expect(digestTree(world.directory)).toEqual(files);
    expect(await session.done(tool, { ...asked, goal_id: "g2" })).toMatchObject({ ok: false, results: [] });
    const own = await session.call(tool, { ...asked, profile: world.profile });
    expect(own).toMatchObject({ isError: true, packet: { error: { code: "unknown_flag" } } });
    await session.close();
  });

  test("is no tool without that", async () => {
    const session = await openMcpSession(world, { flags: ["--run-checks"] });
    expect((await session.client.listTools()).tools.map(({ name }) => name)).not.toContain(tool);
    await expect(session.call(tool, asked)).rejects.toThrow("no tool has this name");
    await session.close();
  });
});

test("nothing private of all this stands in any file", () => {
  verifies("advisory.nothing-persisted");
  const texts = Object.values(CANARIES);
  // What the look would find: the provider's own program, and the profile that its owner wrote.
  expect(findTexts(join(world.directory, "canary-history"), texts)).not.toEqual([]);
  expect(findTexts(world.home, texts)).toEqual([`${world.profile}: ${CANARIES.thread}`]);
  expect(findTexts(world.project, texts)).toEqual([]);
});
