// Building a project of 1,000 layers and 5 MiB of files beside reading, parsing and hashing the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBuild, loadBuild, loadContextProject, writeBuild } from "../packages/runtime-context/src/index.ts";
import { measureRounds } from "./context-numbers.mjs";

const LAYERS = 1000;
const BYTES = 5 * 1_048_576;
const [rounds, place] = process.argv.slice(2);
const directory = join(place, "project");
const document = join(directory, "context.project.json");
writeProject();

const files = Array.from({ length: LAYERS }, (_, at) => join(directory, "layers", `layer-${at}.md`));
const built = await writeBuild(await buildProject(), join(place, "builds"));
const [bare, build, load] = await measureRounds(Number(rounds), [
  () => [document, ...files].map(readBare),
  buildProject,
  () => loadBuild(built),
]);
process.send({ bareMs: bare, build: build / bare, load: load / bare });

async function buildProject() {
  const { project, files: texts } = await loadContextProject(directory);
  return createBuild(project, texts);
}

function readBare(path) {
  const bytes = readFileSync(path);
  if (path === document) JSON.parse(bytes.toString("utf8"));
  return createHash("sha256").update(bytes).digest("hex");
}

function writeProject() {
  mkdirSync(join(directory, "layers"), { recursive: true });
  const paragraph =
    "Orders above 500 euros go to a colleague; see https://desk.example/rules and layers/house-rules.md.\n";
  for (let at = 0; at < LAYERS; at += 1) {
    const text = `# Rule ${at}\n${paragraph.repeat(60)}`.slice(0, Math.floor(BYTES / LAYERS));
    writeFileSync(join(directory, "layers", `layer-${at}.md`), text);
  }
  const ids = Array.from({ length: LAYERS }, (_, at) => `layer-${at}`);
  const project = {
    contract: "context-project.v1",
    id: "bench-build",
    version: "1.0.0",
    objectives: [{ id: "answer" }],
    consumers: [{ id: "agent" }],
    profiles: [
      {
        id: "all",
        budget: { bytes: 1_048_576 },
        layers: ids.map((layer, priority) => ({ layer, rule: "optional", priority })),
      },
    ],
    layers: ids.map((id) => ({ id, name: `Layer ${id}`, bindings: [{ file: `layers/${id}.md` }] })),
    providers: [],
  };
  writeFileSync(document, JSON.stringify(project));
}
