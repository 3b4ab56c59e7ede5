// What of others is in the bundle, by what the bundlers say they took: its licenses for people, and a list for programs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./prepare-checkout.mjs";

/** What may be in a published package. Another one stops the build: somebody has to read it first. */
const ALLOWED = new Set(["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "0BSD", "BlueOak-1.0.0"]);
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The packages behind the modules that were bundled, each once, by name. */
export function listBundledPackages(modules) {
  const folders = new Set(
    modules.flatMap((path) => PACKAGE_FOLDER.exec(resolve(root, path.replace(/^\0|\?.*$/g, "")))?.[0] ?? []),
  );
  return [...folders]
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map(readPackage)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!ALLOWED.has(license))
    throw new Error(`${name} ${version} has the license ${license}; see scripts/third-party.mjs`);
  const texts = readdirSync(folder)
    .filter((entry) => LICENSE_FILE.test(entry))
    .toSorted()
    .map((entry) => readFileSync(join(folder, entry), "utf8").trim());
  return { name, version, license, texts };
}

/** Name, version, license and its text of each. */
export function renderNotices(packages) {
  const parts = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [`Licensed under ${license}.`])].join("\n\n"),
  );
  const head = "The programs in this folder hold the following libraries of others, under their own licenses.";
  return `${[head, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** A bill of materials in CycloneDX 1.6. It has neither time nor serial number: the same bundle gives the same bytes. */
export function renderSbom(packages, { name, version }) {
  const component = { type: "application", name, version, purl: `pkg:npm/${name}@${version}` };
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components: packages.map(toComponent),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function toComponent({ name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", name, version, purl, licenses: [{ license: { id: license } }] };
}
