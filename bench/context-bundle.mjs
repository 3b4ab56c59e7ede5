// The benchmark programs for runtime context, bundled: they are made of TypeScript sources and run on any Node.
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { on, once } from "node:events";
import { join } from "node:path";
import { root } from "../scripts/prepare-checkout.mjs";

const outdir = join(root, ".build", "bench-context");
const PROGRAMS = [
  "server",
  "provider",
  "deadline",
  "memory",
  "blocks",
  "search",
  "build",
  "tests",
  "reproduction",
  "scale",
];

export async function bundleContextPrograms() {
  await build({
    entryPoints: PROGRAMS.map((name) => join(root, "bench", `context-${name}.mjs`)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["better-sqlite3", "pg-native"],
    // Libraries in CommonJS ask for builtins by `require`, which an ES module doesn't have.
    banner: { js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
    legalComments: "none",
    logLevel: "warning",
  });
}

/** A running program: its first message, and `ask(question)` for every further one. */
export async function startProgram(node, name, argv = []) {
  const child = spawn(node, ["--expose-gc", join(outdir, `context-${name}.mjs`), ...argv.map(String)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const messages = on(child, "message", { close: ["exit"] });
  const receive = async () => {
    const { value, done } = await messages.next();
    if (done) throw new Error(`${name} ended early`);
    return value[0];
  };
  const ready = await receive();
  return {
    ready,
    next: receive,
    async ask(question) {
      const answer = receive();
      child.send(question);
      return answer;
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** What a program that measures by itself says at its end. */
export async function runProgram(node, name, argv = []) {
  const program = await startProgram(node, name, argv);
  await program.stop();
  return program.ready;
}
