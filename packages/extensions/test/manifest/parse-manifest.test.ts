import { isLoopxError } from "@loopx/contracts";
import { assert, nat, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { parseManifest } from "../../src/manifest/parse-manifest.ts";
import { toRevision } from "../../src/manifest/manifest-revision.ts";
import { sampleManifest } from "./sample-manifest.ts";

const SAMPLE = sampleManifest();

interface Listed {
  readonly field: string;
  readonly line?: number;
  readonly says: string;
}

function faultsOf(source: string): readonly Listed[] {
  try {
    parseManifest(source);
    return [];
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "manifest_invalid") throw error;
    return error.details?.["faults"] as readonly Listed[];
  }
}

describe("a manifest", () => {
  test("becomes a snapshot of all it says, with what it leaves out", () => {
    expect(parseManifest(SAMPLE.replace("timeout_seconds = 30\n", ""))).toEqual({
      provider: {
        id: "loopx-fakehist",
        origin: "extension",
        declared: true,
        installed: false,
        enabled: false,
        ready: false,
        version: "0.1.0",
        requires_loopx_api: ">=1,<2",
        permissions: ["decision_context.read"],
      },
      runtime: {
        protocol: "decision_context_advisory_provider_v0",
        entrypoint: "/opt/fakehist/provider",
        args: [],
        doctor_args: ["--doctor"],
        required_permissions: ["decision_context.read"],
        timeout_seconds: 30,
      },
      implementations: [
        {
          capability_id: "decision-context",
          protocol: "decision_context_advisory_provider_v0",
          provider_id: "loopx-fakehist",
          provider_version: "0.1.0",
        },
      ],
      capabilities: [],
      presentation_surfaces: [],
      documentation: null,
    });
  });

  test("may declare capabilities of its own and its documentation", () => {
    const manifest = parseManifest(`${SAMPLE}
[[provides]]
id = "team-history"
kind = "retrieval"
title = "Geschichte — 履歴"
status = "experimental"
visibility = "internal"
user_value = "Finds what was said"
next_real_step = "Try it"

[documentation]
source_root = "docs"
site_root = "extensions/history"
canonical = "docs/history.md"

[[documentation.aliases]]
source = "README.md"
site = "extensions/history/readme"
`);
    expect(manifest.capabilities).toMatchObject([
      { id: "team-history", title: "Geschichte — 履歴", entry_command: null },
    ]);
    expect(manifest.documentation?.aliases).toEqual([{ source: "README.md", site: "extensions/history/readme" }]);
  });
});

function revisionOf(source: string): string {
  return toRevision(parseManifest(source));
}

test("the revision is a digest of the snapshot: the same words give the same one, another version another", () => {
  expect(revisionOf(SAMPLE)).toBe("b010de8d08f47875");
  expect(revisionOf(sampleManifest({ version: '"0.2.0"' }))).toBe("1f3b049eec0da91c");
  expect(revisionOf(`# a comment\n${SAMPLE.replaceAll(" = ", "=")}`)).toBe("b010de8d08f47875");
  // Hashed as it is, not escaped.
  expect(revisionOf(sampleManifest({ version: '"0.1.0-ü"' }))).toBe("87066d10145f70c6");
});

test.each([
  ["entrypoint =", "entrypont =", "runtime.entrypont", 9, "is no key of a manifest; did you mean entrypoint?"],
  ["permissions =", "permision =", "permision", 5, "is no key of a manifest; did you mean permissions?"],
  [
    "capability_id =",
    "capability =",
    "implements[0].capability",
    15,
    "is no key of a manifest; did you mean capability_id?",
  ],
  ['id = "loopx-fakehist"', 'id = "Loopx"', "id", 2, "must be lower-case words"],
  ['id = "loopx-fakehist"', `id = "${"a".repeat(49)}"`, "id", 2, "longer than 48"],
  ['version = "0.1.0"', 'version = ""', "version", 3, "not empty"],
  ['">=1,<2"', '">=2"', "requires_loopx_api", 4, "is not met"],
  ['">=1,<2"', '"^1"', "requires_loopx_api", 4, "must be a list such as"],
  ['">=1,<2"', '">=1,"', "requires_loopx_api", 4, "must be a list such as"],
  ["timeout_seconds = 30", "timeout_seconds = 121", "runtime.timeout_seconds", 12, "must be an integer from 1 to 120"],
  ["timeout_seconds = 30", "timeout_seconds = 5.0", "runtime.timeout_seconds", 12, "must be an integer"],
  ["timeout_seconds = 30", "timeout_seconds = true", "runtime.timeout_seconds", 12, "must be an integer"],
  ["timeout_seconds = 30", "timeout_seconds = 0", "runtime.timeout_seconds", 12, "must be an integer"],
  [
    'entrypoint = "/opt/fakehist/provider"',
    'python_module = "fake.hist"',
    "runtime.python_module",
    9,
    "is not supported",
  ],
  ['entrypoint = "/opt/fakehist/provider"\n', "", "runtime.entrypoint", 7, "is required"],
  ['"/opt/fakehist/provider"', '"a\\u0000b"', "runtime.entrypoint", 9, "NUL"],
  ['doctor_args = ["--doctor"]', "doctor_args = [1]", "runtime.doctor_args", 10, "is no text"],
  [
    'required_permissions = ["decision_context.read"]',
    'required_permissions = ["other"]',
    "runtime.required_permissions",
    11,
    "permissions does not list",
  ],
  [
    '[[implements]]\ncapability_id = "decision-context"',
    '[[implements]]\ncapability_id = "decisions"',
    "implements[0].capability_id",
    15,
    "names no capability",
  ],
  ["[[implements]]", "[implements]", "implements", 14, "must be a list of tables"],
] as const)("%s written as %s is refused with its line", (...row) => {
  const [good, bad, field, line, says] = row;
  const faults = faultsOf(SAMPLE.replace(good, bad));
  expect(faults).toContainEqual({ field, line, says: expect.stringContaining(says) as string });
});

test.each(["presentation_surfaces = []", 'integration_profile = "profile.json"'])(
  "%s is refused by name, since nothing reads it",
  (line) => {
    const source = line.startsWith("p")
      ? `${line}\n${SAMPLE}`
      : `${SAMPLE}\n[[provides]]\nid = "a"\nkind = "k"\ntitle = "t"\nstatus = "s"\nvisibility = "internal"\nuser_value = "u"\nnext_real_step = "n"\n${line}`;
    expect(faultsOf(source).map(({ says }) => says)).toEqual([expect.stringContaining("has no use in this LoopX")]);
  },
);

test("an advisory provider declares the permission, its runtime protocol and the capability it implements", () => {
  expect(faultsOf(SAMPLE)).toEqual([]);
  expect(faultsOf(SAMPLE.replaceAll('["decision_context.read"]', "[]"))[0]?.field).toBe("runtime.required_permissions");
  expect(faultsOf(SAMPLE.replace('protocol = "decision_context', 'protocol = "other_context'))[0]).toMatchObject({
    field: "implements[0].protocol",
  });
  expect(faultsOf(SAMPLE.replaceAll("decision_context_advisory_provider_v0", "other_protocol_v0"))[0]).toMatchObject({
    field: "implements[0].protocol",
    says: "must be decision_context_advisory_provider_v0 for decision-context",
  });
});

test("a public capability says what it is anchored in and how it is entered", () => {
  const provided = `${SAMPLE}\n[[provides]]\nid = "a"\nkind = "k"\ntitle = "t"\nstatus = "s"\nvisibility = "public"\nuser_value = "u"\nnext_real_step = "n"\n`;
  expect(faultsOf(provided).map(({ field }) => field)).toEqual([
    "provides[0].real_world_anchor",
    "provides[0].entry_command",
  ]);
});

test("what is no TOML is refused with its line, and nothing of it is repeated", () => {
  const faults = faultsOf(`${SAMPLE}secret-token-canary = = 3`);
  expect(faults).toEqual([{ field: "", line: 17, says: expect.stringContaining("is not TOML") as string }]);
  expect(JSON.stringify(faults)).not.toContain("canary");
});

test("whatever a text holds, it is a manifest or is refused as one", () => {
  assert(
    property(string(), nat(SAMPLE.length), (noise, at) => {
      const source = SAMPLE.slice(0, at) + noise + SAMPLE.slice(at);
      expect(Array.isArray(faultsOf(source))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
