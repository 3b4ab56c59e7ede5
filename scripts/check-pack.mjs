// Packs the published packages and installs them into temporary prefixes: `loopx` on this Node and on Node 24, the latter also
// with install scripts blocked. A package that cannot open its store fails here, not at a user's. The extensions that come
// with it have to start from where it is installed, `loopx-obelisk` by itself too, and the kit for authors to compile. What the
// packages say of themselves is held to publint's rules, and their types to those of each way to import them.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { installNewerNode, NEWER_NODE } from "./newer-node.mjs";
import { root, say } from "./prepare-checkout.mjs";
import { serveWorkstation } from "./serve-workstation.mjs";

const place = mkdtempSync(join(tmpdir(), "loopx-pack-"));
try {
  const tarball = pack("loopx");
  for (const name of ["loopx", "loopx-obelisk", "provider-sdk"])
    run("npx", ["--no-install", "publint", "--strict", `packages/${name}`], { cwd: root });
  const kit = pack("loopx-provider-sdk");
  for (const typed of [tarball, kit])
    run("npx", ["--no-install", "attw", typed, "--profile=esm-only", "--format=ascii"], { cwd: root });
  const here = install("here", tarball, []);
  drive(process.execPath, here, "node of this checkout");
  const newer = installNewerNode();
  const blocked = install("blocked", tarball, ["--ignore-scripts"]);
  drive(newer, blocked, `Node ${NEWER_NODE}, install scripts blocked`);
  drive(newer, here, `Node ${NEWER_NODE}`);
  for (const node of [process.execPath, newer]) askExtensions(node, join(here, "..", "..", "dist", "extensions"));
  for (const node of [process.execPath, newer]) await openPage(node, here);
  for (const node of [process.execPath, newer]) useClient(node, tarball);
  const obelisk = installPackage("obelisk", pack("loopx-obelisk"), []);
  askProvider(process.execPath, join(obelisk, "bin", "loopx-obelisk"));
  compileProvider(kit);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function pack(workspace) {
  const folder = mkdtempSync(join(place, "tarball-"));
  run("npm", ["pack", "--silent", `--workspace=${workspace}`, `--pack-destination=${folder}`], { cwd: root });
  const name = readdirSync(folder).find((entry) => entry.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack made no tarball");
  return join(folder, name);
}

function install(name, tarball, flags) {
  return join(installPackage(name, tarball, flags), "lib", "node_modules", "loopx", "bin", "loopx.cjs");
}

function installPackage(name, tarball, flags) {
  const prefix = join(place, name);
  say(`installing the tarball into a temporary prefix${flags.length > 0 ? ` with ${flags.join(" ")}` : ""} …`);
  run("npm", [
    "install",
    "--global",
    "--no-audit",
    "--no-fund",
    "--allow-scripts=better-sqlite3",
    `--prefix=${prefix}`,
    ...flags,
    tarball,
  ]);
  return prefix;
}

/** Each bundled extension, started as the installed manifest says: the program itself, by its first line. */
function askExtensions(node, folder) {
  const ids = readdirSync(folder);
  if (!ids.includes("session-history")) throw new Error("the package holds no session history");
  for (const id of ids) askProvider(node, join(folder, id, "provider.cjs"));
  say(`${ids.length} bundled extensions answered`);
}

/** There is no such session anywhere: a provider that works says so, or that it can't look. */
function askProvider(node, program) {
  const home = mkdtempSync(join(place, "home-"));
  const request = {
    schema_version: "decision_context_advisory_retrieve_request_v0",
    operation: "retrieve",
    namespace: "check-pack",
    scope_ref: "host-session:codex:none",
    query: "anything",
    query_summary: "a check",
    max_results: 1,
    timeout_seconds: 30,
    observed_at: new Date().toISOString(),
  };
  const env = { PATH: [dirname(node), "/usr/bin", "/bin"].join(delimiter), HOME: home };
  const response = JSON.parse(run(program, [], { input: JSON.stringify(request), env }));
  if (!/_(?:missing|not_found)$/.test(response.reason_code))
    throw new Error(`${program} answered ${response.reason_code}`);
}

/** The Workstation's page, as the installed server hands it out. */
async function openPage(node, program) {
  const cwd = mkdtempSync(join(place, "project-"));
  const env = { PATH: [dirname(node), "/usr/bin", "/bin"].join(delimiter), HOME: mkdtempSync(join(place, "home-")) };
  const server = await serveWorkstation({ node, program, cwd, env });
  try {
    const page = await (await fetch(server.url)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    if (script === undefined) throw new Error("the Workstation's page names no script");
    const { status, headers } = await fetch(new URL(script, server.url));
    if (status !== 200 || !headers.get("content-type")?.includes("javascript"))
      throw new Error(`the Workstation's script was answered with ${status}`);
    say("the Workstation's page was served");
  } finally {
    await server.stop();
  }
}

/** The client as an application uses it: installed, imported by its name, compiled against its types; nobody listens there. */
function useClient(node, tarball) {
  const project = mkdtempSync(join(place, "application-"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "app", type: "module", private: true }));
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", tarball], { cwd: project });
  symlinkSync(join(root, "node_modules", "@types"), join(project, "node_modules", "@types"));
  const source = `import { ContextClientError, createContextClient, type ContextTurn } from "loopx/context-client";
const client = createContextClient({ url: "http://127.0.0.1:59999" });
const turn: ContextTurn | string = await client
  .turn({ objective: "o", consumer: "c" })
  .catch((error: unknown) => (error instanceof ContextClientError ? error.code : "another error"));
process.stdout.write(String(turn));
`;
  writeFileSync(join(project, "app.ts"), source);
  const flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "app.ts"];
  run(join(root, "node_modules", ".bin", "tsc"), flags, { cwd: project });
  const code = run(node, ["app.js"], { cwd: project });
  if (code !== "RUNTIME_UNAVAILABLE") throw new Error(`the client said ${code} where nobody listens`);
  say("the client was compiled against its types and ran");
}

/** A provider against the types and modules that are published, not against the source. */
function compileProvider(tarball) {
  const project = join(place, "author");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "author", type: "module", private: true }));
  run("npm", ["install", "--no-audit", "--no-fund", "--offline", tarball], { cwd: project });
  symlinkSync(join(root, "node_modules", "@types"), join(project, "node_modules", "@types"));
  const source = `#!/usr/bin/env node
import { defineAdvisoryProvider, unavailable } from "loopx-provider-sdk";
await defineAdvisoryProvider({
  doctor: () => true,
  retrieve: ({ max_results }) => (max_results > 0 ? unavailable("notes_missing") : []),
}).run();
`;
  writeFileSync(join(project, "provider.ts"), source);
  const flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "provider.ts"];
  run(join(root, "node_modules", ".bin", "tsc"), flags, { cwd: project });
  chmodSync(join(project, "provider.js"), 0o755);
  askProvider(process.execPath, join(project, "provider.js"));
  say("a provider was compiled against the published kit, and answered");
}

/** A goal from its first command to its last, with the installed program. */
function drive(node, program, title) {
  const project = mkdtempSync(join(place, "project-"));
  const home = mkdtempSync(join(place, "home-"));
  run("git", ["init", "--quiet", "."], { cwd: project });
  const call = (...args) => {
    const kept = Object.entries(process.env).filter(
      ([key]) => !/^(CLAUDE|CODEX_|CURSOR_|GEMINI|OPENCODE|AI_AGENT|LOOPX_)/.test(key),
    );
    const env = { ...Object.fromEntries(kept), HOME: home };
    return JSON.parse(run(node, [program, "--format=json", ...args], { cwd: project, env }));
  };
  call("version");
  call("bootstrap", "--goal-id=pack-goal", "--objective=Check the package");
  const lane = ["--goal-id=pack-goal", "--agent-id=packer"];
  call("register-agent", ...lane, "--execute");
  call("todo", "add", ...lane, "--text=Only todo");
  const asked = call("quota", "should-run", ...lane);
  const turn = `--turn=${asked.turn.turn_id}`;
  call("refresh-state", ...lane, turn, "--outcome=primary_outcome", "--evidence=done");
  call("todo", "complete", ...lane, turn, `--todo-id=${asked.todo.todo_id}`, "--no-follow-up");
  const spent = call("quota", "spend", ...lane, turn);
  if (spent.goal_status !== "completed") throw new Error(`${title}: the goal was not completed`);
  say(`${title}: a goal was driven to completion`);
}

function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", input: "", ...options });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args[0]} ended with ${status ?? error?.message}\n${stdout}\n${stderr}`);
}
