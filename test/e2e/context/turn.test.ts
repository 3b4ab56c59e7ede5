import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { parseShellWords } from "@loopx/contracts";
import { runProgram } from "../../support/run-program.ts";
import { createWorld } from "../../support/cli-world.ts";
import { readField, readText } from "../../support/read-field.ts";
import { digestTrees } from "../../support/shell-world.ts";
import { BINDING, createSupportDesk, editBinding, STORE } from "../../support/support-desk.ts";
import { verifies } from "../../support/verifies.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const desk = await createSupportDesk();

afterAll(() => desk.remove());

describe("a turn with the example's CRM and database", () => {
  afterEach(() => desk.restartCrm([]));

  test("is READY with everything at hand", async () => {
    const ready = await desk.turn();
    expect(ready).toMatchObject({ exitCode: 0, json: { outcome: "READY", traced: true, unknowns: [] } });
    const rendered = readText(ready.json, "rendered");
    for (const text of ["Promise no refund", "Enterprise plan", "Two desk lamps", "Late parcel"]) {
      expect(rendered).toContain(text);
    }
    expect(rendered).not.toMatch(/CUST-1042|TICKET-311/);
  });

  test("is DEGRADED when an optional provider is slow, which is never the runtime's failure", async () => {
    verifies("providers.timeout-is-its-own", "providers.failure-unavailable");
    await desk.restartCrm(["--slow=ticket-history"]);
    const degraded = await desk.turn();
    expect(degraded).toMatchObject({ exitCode: 0, json: { outcome: "DEGRADED" } });
    expect(readField(degraded.json, "layers", 3)).toMatchObject({ state: "UNAVAILABLE", provider_status: "TIMEOUT" });
    expect(readText(degraded.json, "rendered")).toContain("current facts are unknown");
    expect(degraded.stdout).not.toContain("RUNTIME_UNAVAILABLE");
  });

  test("is BLOCKED without a required layer, with exit code 0 and nothing rendered", async () => {
    await desk.restartCrm(["--slow=customer-data"]);
    const late = await desk.turn();
    expect(late).toMatchObject({ exitCode: 0, json: { outcome: "BLOCKED", rendered: "" } });
    expect(readField(late.json, "layers", 1)).toMatchObject({ provider_status: "TIMEOUT" });
    expect(late.stdout).not.toContain("RUNTIME_UNAVAILABLE");
    await desk.crm.stop();
    const gone = await desk.turn();
    expect(readField(gone.json, "layers", 1)).toMatchObject({ provider_status: "UNAVAILABLE" });
    expect(gone.json).toMatchObject({ outcome: "BLOCKED" });
  });

  test("is shown to people as outcome, layers, unknowns and the text", async () => {
    await desk.restartCrm(["--slow=ticket-history"]);
    const { stdout } = await desk.turnForPeople();
    expect(stdout).toMatch(/^DEGRADED {2}trace_\w+\nLAYER +RULE +STATE/);
    expect(stdout).toContain("\nunknown  Earlier tickets: current facts are unknown");
    expect(stdout).toContain("\n# House rules");
    expect(stdout).toMatch(/\nnext\n {2}loopx context traces show --store=traces /);
  });

  test("names what is wrong with a request and repeats no value", async () => {
    const asked = ["turn", `--build=${desk.build}`, BINDING, "--consumer=support-agent"];
    const unknown = await desk.run([...asked, "--objective=sell-lamps"]);
    expect(unknown).toMatchObject({ exitCode: 2, json: { error: { code: "invalid_value" } } });
    const broken = await desk.run([...asked, "--objective=answer-ticket", "--input=heliotrope"]);
    expect(broken.json).toMatchObject({ error: { message: "--input takes KEY=VALUE" } });
    expect(broken.stdout).not.toContain("heliotrope");
  });

  test("does not begin without its secret", async () => {
    const refused = await desk.run(
      ["turn", `--build=${desk.build}`, BINDING, "--objective=answer-ticket", "--consumer=support-agent"],
      { env: { CRM_TOKEN: "" } },
    );
    expect(refused).toMatchObject({ exitCode: 6, json: { error: { code: "secret_unavailable" } } });
  });

  test("providers are asked to describe themselves", async () => {
    verifies("providers.http-describe");
    const flags = ["provider", "check", `--build=${desk.build}`, BINDING];
    expect(await desk.run(flags)).toMatchObject({
      exitCode: 0,
      json: { ok: true, providers: [{ provider: "customer-data", ready: true, version: "5.0.1" }, {}, {}] },
    });
    await desk.crm.stop();
    expect(await desk.run(flags)).toMatchObject({
      exitCode: 1,
      json: {
        ok: false,
        providers: [
          { ready: false, status: "UNAVAILABLE", remedy: expect.stringContaining("start it") },
          { ready: true },
          { ready: false },
        ],
      },
    });
  });
});

describe("traces", () => {
  test("are found by provider and status, hold no value, record, content or secret, and are verified", async () => {
    verifies("traces.search", "traces.keyed-digests", "traces.locators", "traces.provenance");
    await desk.restartCrm(["--slow=ticket-history"]);
    const id = readText((await desk.turn()).json, "trace_id");
    await desk.restartCrm([]);
    const ready = readText((await desk.turn()).json, "trace_id");
    const list = async (...filters: readonly string[]): Promise<readonly unknown[]> => {
      const { json } = await desk.run(["traces", "list", STORE, BINDING, ...filters]);
      const traces = readField(json, "traces");
      return Array.isArray(traces) ? traces.map((trace: unknown) => readField(trace, "trace_id")) : [];
    };
    const late = await list("--provider=ticket-history", "--provider-status=TIMEOUT");
    expect(late).toContain(id);
    expect(late).not.toContain(ready);
    expect(await list("--provider-status=OK", "--outcome=READY", "--layer=earlier-tickets", "--limit=1")).toEqual([
      ready,
    ]);
    expect(await list("--provider=customer-data", "--provider-status=TIMEOUT", "--consumer=auditor")).toEqual([]);

    const shown = await desk.run(["traces", "show", STORE, BINDING, `--trace-id=${id}`]);
    expect(readField(shown.json, "trace", "providers", 2)).toMatchObject({ status: "TIMEOUT", key: "customerId" });
    const words = ["CUST-1042", "ORD-20001", "TICKET", "lamps", "Enterprise", desk.env["CRM_TOKEN"] ?? ""];
    for (const word of words) expect(shown.stdout).not.toContain(word);
    const bytes = readdirSync(join(desk.folder, "traces"))
      .map((name) => readFileSync(join(desk.folder, "traces", name), "latin1"))
      .join("");
    for (const word of words) expect(bytes).not.toContain(word);

    const listed = (await desk.run(["traces", "list", STORE, BINDING])).json;
    expect(Object.keys(readField(listed, "traces", 0) as object)).toEqual(
      "trace_id at objective consumer profile outcome duration_ms providers".split(" "),
    );

    const verified = await desk.run(["traces", "verify", STORE, BINDING]);
    expect(verified).toMatchObject({
      exitCode: 0,
      json: { ok: true, chains: [{ writer: "context-turn.support-desk-local", ok: true }] },
    });
  });

  test("one that was altered is named", async () => {
    const { loadSqliteDriver } = await import("@loopx/store");
    await desk.turn();
    const connection = loadSqliteDriver().open(join(desk.folder, "traces", "traces.db"), { readonly: false });
    connection.exec(
      "UPDATE traces SET document = replace(document, 'answer-ticket', 'other-ticket') WHERE sequence = 1",
    );
    connection.close();
    const verified = await desk.run(["traces", "verify", STORE, BINDING]);
    expect(verified).toMatchObject({
      exitCode: 1,
      json: { ok: false, chains: [{ problem: "ENTRY_ALTERED", first_bad_sequence: 1 }] },
    });
  });

  test("keys are made for a binding of one's own, and never over others", async () => {
    const made = await desk.run(["keys", "create", "--output=own/keys.json"]);
    expect(made).toMatchObject({ exitCode: 0, json: { ok: true, output: "own/keys.json" } });
    const path = join(desk.folder, "own", "keys.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { secret } = readField(JSON.parse(readFileSync(path, "utf8")), "keys", 0) as { readonly secret: string };
    expect(made.stdout).not.toContain(secret);
    const again = await desk.run(["keys", "create", "--output=own/keys.json"]);
    expect(again).toMatchObject({ json: { ok: false, error: { code: "file_not_writable" } } });
    expect(readFileSync(path, "utf8")).toContain(secret);
  });

  test("a turn says that its trace was lost, and one that needs its trace fails; both name what looks at the store", async () => {
    const { loadSqliteDriver } = await import("@loopx/store");
    const binding = readFileSync(join(desk.folder, "deployment", "context-binding.json"), "utf8");
    const store = "--store=damaged";
    const ask = (): ReturnType<typeof desk.run> => {
      const asked = ["--objective=answer-ticket", "--consumer=support-agent", "--input=customerId=CUST-1042"];
      return desk.run(["turn", "--build=builds/current", BINDING, store, ...asked]);
    };
    const verify = `loopx context traces verify ${store} ${BINDING}`;
    expect((await ask()).json).toMatchObject({ traced: true });
    const path = join(desk.folder, "damaged", "traces.db");
    const connection = loadSqliteDriver().open(path, { readonly: false });
    connection.exec("UPDATE trace_chains SET entry_count = 7");
    connection.close();
    const lost = await ask();
    expect(lost).toMatchObject({ exitCode: 0, json: { traced: false } });
    expect(lost.stderr).toContain(`store_corrupt`);
    expect(lost.stderr).toContain(verify);
    try {
      editBinding(desk.folder, (text) => text.replace("{", '{"audit": "required",'));
      const failed = await ask();
      expect(failed.json).toMatchObject({ ok: false, error: { code: "store_corrupt", hint: verify } });
    } finally {
      editBinding(desk.folder, () => binding);
    }
    writeFileSync(path, "no database");
    for (const words of [["list"], ["verify"], ["show", "--trace-id=trace_1"]]) {
      const { json } = await desk.run(["traces", ...words, store, BINDING]);
      expect(json).toMatchObject({ error: { code: "store_corrupt", hint: expect.stringContaining("--store") } });
    }
    expect((await ask()).json).toMatchObject({
      error: { code: "store_corrupt", hint: expect.stringContaining("--store") },
    });
  });

  test("a store that isn't there is not made by looking", async () => {
    const refused = await desk.run(["traces", "list", "--store=nowhere", BINDING]);
    expect(refused).toMatchObject({ exitCode: 5, json: { error: { code: "store_missing" } } });
    expect(readdirSync(desk.folder)).not.toContain("nowhere");
  });
});

describe("from nothing to a build", () => {
  const world = createWorld();
  afterAll(() => world.remove());

  test("init writes a project and, elsewhere, what must not be in it; check and build take both", async () => {
    verifies("providers.requirement", "providers.build-entry");
    const made = await world.run(["context", "init", "--output=desk", "--id=new-desk"]);
    expect(made).toMatchObject({ exitCode: 0, json: { ok: true, binding: "new-desk" } });
    expect(findRefusedCommands(made.json)).toEqual([]);
    expect(made.stdout).not.toContain(world.directory);
    const home = join(world.loopxHome, "context", "new-desk");
    expect(readdirSync(home).toSorted()).toEqual([
      "context-binding.json",
      "context-binding.schema.json",
      "new-desk.keyset.json",
      "orders.db",
    ]);
    expect(statSync(join(home, "new-desk.keyset.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(world.project, "desk")).toSorted()).toEqual([
      "context-project.schema.json",
      "context.project.json",
      "layers",
    ]);

    for (const [name, folder] of [
      ["project", join(world.project, "desk")],
      ["binding", home],
    ] as const) {
      const written = readFileSync(join(folder, `context-${name}.schema.json`), "utf8");
      const printed = await world.run(["context", "schema", name]);
      expect(readField(printed.json, "schema")).toEqual(JSON.parse(written));
      expect(readFileSync(join(root, `docs/reference/context-${name}.schema.json`), "utf8")).toBe(written);
    }
    const guide = readFileSync(join(root, "docs/guides/context.md"), "utf8");
    expect(readField((await world.run(["context", "guide"])).json, "markdown")).toBe(guide);

    const first = parseShellWords(readText(made.json, "next", 0)).slice(1);
    expect(await world.run(first)).toMatchObject({ exitCode: 0, json: { ok: true } });
    expect(readField(made.json, "before_first_turn")).toEqual({
      needs: [{ provider: "customer-data", url: "http://127.0.0.1:8787/context", env: "CRM_TOKEN" }],
      check: "loopx context check --binding=new-desk --project=desk",
    });

    const env = { CRM_TOKEN: "anything" };
    const check = ["context", "check", "--project=desk", "--binding=new-desk"];
    expect(await world.run(check, { env })).toMatchObject({
      exitCode: 0,
      json: { ok: true, findings: [], binding: { providers: [{ state: "bound" }, { state: "bound" }] } },
    });
    expect(await world.run(check)).toMatchObject({
      exitCode: 1,
      json: {
        binding: {
          providers: [
            {
              state: "refused",
              says: ["the secret env:CRM_TOKEN is not set"],
              remedies: ["export CRM_TOKEN='<the-secret>'"],
            },
            { state: "bound", remedies: [] },
          ],
        },
        next: ["loopx context check --binding=new-desk --project=desk"],
      },
    });

    const built = await world.call(["context", "build", "--project=desk", "--output=first"]);
    const again = await world.call(["context", "build", "--project=desk", "--output=second"]);
    expect(readField(built, "digest")).toBe(readField(again, "digest"));
    expect(digestTrees(join(world.project, "first"))).toBe(digestTrees(join(world.project, "second")));
    expect(readField(built, "unpinned")).toEqual([
      { kind: "RUNTIME_PROVIDER", provider: "customer-data", layers: ["customer-profile"] },
      { kind: "RUNTIME_PROVIDER", provider: "order-data", layers: ["order-status"] },
    ]);
    const manifest = readFileSync(join(world.project, readText(built, "build"), "manifest.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({
      providers: [
        { id: "customer-data", lookup: { input: "customerId", pattern: "^CUST-[0-9]{4}$" }, maxItems: 2 },
        {},
      ],
      unpinned: [{ kind: "RUNTIME_PROVIDER", provider: "customer-data" }, {}],
    });
  });

  test("init with its secret at hand begins with the check of project and binding, which succeeds as printed", async () => {
    const env = { CRM_TOKEN: "anything" };
    const made = await world.run(["context", "init", "--output=lamp-desk", "--id=lamp-desk"], { env });
    const first = readText(made.json, "next", 0);
    expect(first).toBe("loopx context check --binding=lamp-desk --project=lamp-desk");
    const checked = await world.run(parseShellWords(first).slice(1), { env });
    expect(checked).toMatchObject({
      exitCode: 0,
      json: { ok: true, next: ["loopx context build --output=builds --project=lamp-desk"] },
    });
  });

  test("check says what is wrong with project, files and binding at once, and what to do about each", async () => {
    await world.call(["context", "init", "--output=broken", "--id=broken"]);
    const project = join(world.project, "broken", "context.project.json");
    writeFileSync(
      project,
      readFileSync(project, "utf8").replace('"version"', '"verion"').replace("house-rules.md", "gone.md"),
    );
    const home = join(world.loopxHome, "context", "broken");
    rmSync(join(home, "orders.db"));
    chmodSync(join(home, "broken.keyset.json"), 0o644);
    const checked = await world.run(["context", "check", "--project=broken", "--binding=broken"]);
    expect(checked).toMatchObject({
      exitCode: 1,
      json: {
        findings: [{ rule: "UNKNOWN_KEY" }, { rule: "NOT_READABLE", file: "layers/gone.md" }],
        binding: {
          providers: [
            { remedies: ["export CRM_TOKEN='<the-secret>'"] },
            { remedies: ["put it where the binding has it, or correct providers.order-data.database of the binding"] },
          ],
          keyset_refused: "the secret file:broken.keyset.json can be read or written by others",
          keyset_remedies: ["run chmod 600 on it"],
        },
      },
    });
    const shown = await runProgram(
      process.execPath,
      [world.program, "context", "check", "--project=broken", "--binding=broken"],
      { cwd: world.project, env: world.env },
    );
    expect(shown.stdout.match(/ {9}do: /g)).toHaveLength(3);
    expect(shown.stdout).toMatch(
      /not sound\n\nwhen that is mended\n {2}loopx context check --binding=broken --project=broken\n$/,
    );
  });

  test("init leaves what is there alone", async () => {
    const before = digestTrees(world.directory);
    const refused = await world.run(["context", "init", "--output=desk", "--id=other-desk"]);
    expect(refused).toMatchObject({ exitCode: 6, json: { error: { code: "file_not_writable" } } });
    expect(digestTrees(world.directory)).toBe(before);
  });

  test("diff says what a change means", async () => {
    const path = join(world.project, "desk", "context.project.json");
    const text = readFileSync(path, "utf8");
    const first = readText(await world.call(["context", "build", "--project=desk", "--output=builds"]), "build");
    writeFileSync(path, text.replace('"maxItems": 2', '"maxItems": 5'));
    const second = readText(await world.call(["context", "build", "--project=desk", "--output=builds"]), "build");
    writeFileSync(path, text);
    const diff = await world.call(["context", "diff", `--from=${first}`, `--to=${second}`]);
    expect(readField(diff, "differences", 0)).toMatchObject({
      kind: "provider",
      says: "provider customer-data changed: maxItems from 2 to 5",
    });
  });

  test.each([
    { field: "url", value: "https://crm.example.org" },
    { field: "secret", value: "env:CRM_TOKEN" },
    { field: "database", value: "orders.db" },
  ])("a provider's $field is refused in a project", async ({ field, value }) => {
    verifies("providers.no-endpoints-in-project");
    const name = `with-${field}`;
    const folder = join(world.project, name);
    mkdirSync(folder);
    const project = JSON.parse(readFileSync(join(world.project, "desk", "context.project.json"), "utf8")) as {
      providers: object[];
    };
    Object.assign(project.providers[0] ?? {}, { [field]: value });
    writeFileSync(join(folder, "context.project.json"), JSON.stringify(project));
    symlinkSync(join(world.project, "desk", "layers"), join(folder, "layers"));
    const built = await world.run(["context", "build", `--project=${name}`, "--output=refused"]);
    expect(built).toMatchObject({ exitCode: 2, json: { error: { code: "project_invalid" } } });
    expect(readText(built.json, "error", "message")).toContain("belongs in a Deployment Binding");
    const checked = await world.run(["context", "check", `--project=${name}`]);
    expect(checked).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(checked.stdout).toContain("belongs in a Deployment Binding");
  });
});
