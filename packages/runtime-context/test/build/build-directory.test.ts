import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { isLoopxError, sha256Hex, toCanonicalJson } from "@loopx/contracts";
import { createBuild } from "../../src/build/create-build.ts";
import { CURRENT_BUILD, linkCurrentBuild } from "../../src/build/link-current-build.ts";
import { loadBuild } from "../../src/build/load-build.ts";
import { writeBuild } from "../../src/build/write-build.ts";
import { scaffoldProject } from "../../src/project/scaffold-project.ts";
import { createDirectory } from "../project/temporary-directory.ts";
import { createDeskBuild, createProject } from "./support-desk.ts";

/** Every file below a directory with its content. */
function readTree(directory: string): Readonly<Record<string, string>> {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, "latin1")]));
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => "nothing was refused",
    (thrown: unknown) => thrown,
  );
  return isLoopxError(error) ? `${error.code}: ${error.message}` : String(error);
}

async function loadAfter(change: (path: string) => void): Promise<string> {
  const path = await writeBuild(await createDeskBuild(), createDirectory());
  change(path);
  return refusalOf(loadBuild(path));
}

/** Changes the manifest and moves the build to the name that fits, as somebody would who forges one. */
async function loadForged(change: (manifest: any) => void): Promise<string> {
  const path = await writeBuild(await createDeskBuild(), createDirectory());
  const manifest: unknown = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8"));
  change(manifest);
  const rendered = toCanonicalJson(manifest);
  writeFileSync(join(path, "manifest.json"), rendered);
  const forged = join(path, "..", `build-${sha256Hex(rendered).slice(0, 12)}`);
  renameSync(path, forged);
  return refusalOf(loadBuild(forged));
}

describe("a written build", () => {
  test("is what was built, under the name of its digest", async () => {
    const build = await createDeskBuild();
    const target = join(createDirectory(), "builds");
    const path = await writeBuild(build, target);
    expect(path).toBe(join(target, `build-${build.digest.slice(7, 19)}`));
    expect(readTree(path)).toEqual({
      "manifest.json": toCanonicalJson(build.manifest),
      [`blobs/${sha256Hex("Be kind.\n")}`]: "Be kind.\n",
    });
    expect(await loadBuild(path)).toEqual(build);
  });

  test("may be written again and by several at once; nothing else is left behind", async () => {
    const build = await createDeskBuild();
    const target = createDirectory();
    const paths = await Promise.all(Array.from({ length: 8 }, () => writeBuild(build, target)));
    await writeBuild(build, target);
    expect(new Set(paths).size).toBe(1);
    expect(readdirSync(target)).toEqual([`build-${build.digest.slice(7, 19)}`]);
    expect(await loadBuild(paths[0] ?? "")).toEqual(build);
  });

  test("mends a damaged one", async () => {
    const build = await createDeskBuild();
    const target = createDirectory();
    const path = await writeBuild(build, target);
    writeFileSync(join(path, "manifest.json"), "{");
    await writeBuild(build, target);
    expect(await loadBuild(path)).toEqual(build);
    expect(readdirSync(target)).toHaveLength(1);
  });

  test("may be moved and renamed by its owner", async () => {
    const build = await createDeskBuild();
    const target = createDirectory();
    renameSync(await writeBuild(build, target), join(target, "current"));
    expect((await loadBuild(join(target, "current"))).digest).toBe(build.digest);
  });

  test("keeps a byte order mark, line ends and any text as they are", async () => {
    const text = "\uFEFFa\r\n\u2028\u{1F600}";
    const build = createBuild(await createProject(), new Map([["layers/house-rules.md", text]]));
    expect(await loadBuild(await writeBuild(build, createDirectory()))).toEqual(build);
  });
});

describe("a build that isn't what it says", () => {
  const blob = `blobs/${sha256Hex("Be kind.\n")}`;

  test("is refused with other bytes in a text", async () => {
    expect(await loadAfter((path) => writeFileSync(join(path, blob), "Be cruel.\n"))).toMatch(
      /^build_corrupt: blobs\/.{12}… does not have the digest/,
    );
  });

  test("is refused without a text", async () => {
    expect(await loadAfter((path) => rmSync(join(path, blob)))).toMatch(/^build_corrupt: blobs\/.{12}… is missing$/);
  });

  test("is refused with a link for a text, even to the right bytes", async () => {
    const outside = createDirectory({ copy: "Be kind.\n" });
    const refused = await loadAfter((path) => {
      rmSync(join(path, blob));
      symlinkSync(join(outside, "copy"), join(path, blob));
    });
    expect(refused).toMatch(/^build_corrupt: [0-9a-f]+ is a symbolic link$/);
  });

  test("is refused with another manifest under its name", async () => {
    expect(await loadAfter((path) => writeFileSync(join(path, "manifest.json"), "{}"))).toMatch(
      /^build_corrupt: build-[0-9a-f]{12} holds a manifest of another digest$/,
    );
  });

  test("is refused with a manifest that isn't canonical", async () => {
    const path = await writeBuild(await createDeskBuild(), createDirectory());
    const copy = join(createDirectory(), "copy");
    cpSync(path, copy, { recursive: true });
    writeFileSync(join(copy, "manifest.json"), `${readFileSync(join(path, "manifest.json"), "utf8")}\n`);
    expect(await refusalOf(loadBuild(copy))).toBe(
      "build_corrupt: manifest.json is not what its own project and texts build to",
    );
  });

  test.each<[string, (manifest: any) => void, RegExp]>([
    [
      "a provider hidden from the unpinned ones",
      (m) => m.unpinned.pop(),
      /is not what its own project and texts build to$/,
    ],
    ["another limit there", (m) => (m.unpinned[0].maxItems = 100), /is not what its own project and texts build to$/],
    ["a text that isn't listed", (m) => m.resolved.pop(), /names layers\/house-rules\.md, which was not given$/],
    ["another size", (m) => (m.resolved[0].bytes = 1), /is not what its own project and texts build to$/],
    ["a clock", (m) => (m.builtAt = "2026-10-08"), /\/builtAt: unknown key "builtAt"$/],
    [
      "an endpoint",
      (m) => (m.providers[0].url = "https://evil.example"),
      /\/providers\/0\/url: "url" belongs in a Deployment Binding$/,
    ],
    ["a pattern that doesn't compile", (m) => (m.providers[0].lookup.pattern = "("), /the pattern does not compile/],
    ["a path out of it", (m) => (m.layers[0].bindings[0].path = "../../x"), /must not leave the project/],
    ["a digest that is a path", (m) => (m.resolved[0].sha256 = "../../../etc/passwd"), /does not list its texts$/],
    ["no layers", (m) => delete m.layers, /\/layers: is missing$/],
    [
      "a null where the project has nothing",
      (m) => (m.layers[0].emptyIs = null),
      /is not what its own project and texts build to$/,
    ],
    ["another contract", (m) => (m.contract = "context-build.v2"), /^build_corrupt: /],
  ])("is refused when it is forged with %s", async (_name, change, expected) => {
    const refused = await loadForged(change);
    expect(refused).toMatch(/^build_corrupt: /);
    expect(refused).toMatch(expected);
  });

  test("is not there where there is none", async () => {
    expect(await refusalOf(loadBuild(createDirectory()))).toBe("file_not_readable: the build has no manifest.json");
  });
});

describe("builds of equal sources by other processes", () => {
  let program = "";

  beforeAll(async () => {
    program = fileURLToPath(new URL("../../../../.build/runtime-context/build-in-child.mjs", import.meta.url));
    await bundle({
      entryPoints: [fileURLToPath(new URL("build-in-child.ts", import.meta.url))],
      bundle: true,
      format: "esm",
      platform: "node",
      mainFields: ["module", "main"],
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      outfile: program,
      logLevel: "silent",
    });
  });

  test("are the same bytes in every time zone, locale, working directory, umask and place", async () => {
    const { project } = scaffoldProject("desk");
    const runs = [
      { env: { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" }, umask: "77", place: "a" },
      { env: { TZ: "America/Anchorage", LANG: "C", LC_ALL: "C" }, umask: "0", place: "a much longer place/中文" },
      { env: { TZ: "UTC", LANG: "de_DE.UTF-8", HOME: "/nonexistent" }, umask: "22", place: "b" },
    ].map(({ env, umask, place }) => {
      const root = createDirectory(
        Object.fromEntries(Object.entries(project).map(([path, text]) => [`${place}/${path}`, text])),
      );
      const target = join(root, "out");
      const workingDirectory = join(root, place, "layers");
      mkdirSync(target);
      const path = execFileSync(process.execPath, [program, join(root, place), target, umask], {
        env,
        cwd: workingDirectory,
        encoding: "utf8",
      });
      return { name: path.trim().slice(target.length), tree: readTree(target) };
    });
    const [first] = runs;
    expect(Object.keys(first?.tree ?? {})).toHaveLength(2);
    for (const run of runs) expect(run).toEqual(first);
    const own = createBuild(
      await createProject(),
      new Map([["layers/house-rules.md", project["layers/house-rules.md"] ?? ""]]),
    );
    expect(first?.name).toBe(`/build-${own.digest.slice(7, 19)}`);
  });
});

describe("the link to the current build", () => {
  test("leads to a whole build at every moment while writers race", async () => {
    const folder = createDirectory();
    const builds = await Promise.all(
      ["Be kind.\n", "Be brief.\n", "Be exact.\n"].map(async (text) => {
        const files = new Map([["layers/house-rules.md", text]]);
        return writeBuild(createBuild(await createProject(), files), folder);
      }),
    );
    const link = join(folder, CURRENT_BUILD);
    expect(await linkCurrentBuild(builds[0] ?? "")).toBe(true);
    const writing = Promise.all(
      Array.from({ length: 60 }, (_, index) => linkCurrentBuild(builds[index % builds.length] ?? "")),
    );
    let reads = 0;
    const ended = writing.then(() => true);
    for (;;) {
      expect(builds.map((path) => basename(path))).toContain(readlinkSync(link));
      reads += 1;
      if (await Promise.race([ended, setImmediate(false)])) break;
    }
    expect(reads).toBeGreaterThan(1);
    expect(new Set(await writing)).toEqual(new Set([true]));
    expect(readdirSync(folder).toSorted()).toEqual([...builds.map((path) => basename(path)), CURRENT_BUILD].toSorted());
  });
});
