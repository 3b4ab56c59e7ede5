import { createBuild } from "../../src/build/create-build.ts";
import { writeBuild } from "../../src/build/write-build.ts";
import { loadContextProject } from "../../src/project/load-context-project.ts";

// A process of its own: builds the project in the first directory into the second, under the umask given as the third.
const [projectDirectory = "", target = "", umask = "22"] = process.argv.slice(2);
process.umask(Number.parseInt(umask, 8));
const { project, files } = await loadContextProject(projectDirectory);
process.stdout.write(`${await writeBuild(createBuild(project, files), target)}\n`);
