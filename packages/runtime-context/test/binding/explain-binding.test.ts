import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explainBinding, findBindingInProject } from "../../src/binding/explain-binding.ts";
import { parseBinding } from "../../src/binding/parse-binding.ts";
import { createKeyset, renderKeyset } from "../../src/keys/keyset.ts";
import { scaffoldProject } from "../../src/project/scaffold-project.ts";
import { createDeskBuild } from "../build/support-desk.ts";
import { createDirectory } from "../project/temporary-directory.ts";

async function explain(folder: string, change: (document: any) => void, env: Record<string, string>): Promise<any> {
  const document: unknown = JSON.parse(scaffoldProject("desk").binding["context-binding.json"] ?? "");
  change(document);
  const binding = await parseBinding(JSON.stringify(document), { path: join(folder, "context-binding.json") });
  return explainBinding((await createDeskBuild()).manifest.providers, binding, env);
}

describe("what a binding does for a build", () => {
  test("is bound where everything is there, and shows no secret", async () => {
    const folder = createDirectory({
      "orders.db": "",
      "desk.keyset.json": renderKeyset(createKeyset((prefix) => `${prefix}_a`)),
    });
    chmodSync(join(folder, "desk.keyset.json"), 0o600);
    const explained = await explain(folder, () => {}, { CRM_TOKEN: "s3same-0pen" });
    expect(explained).toEqual({
      revision: expect.stringMatching(/^r-/),
      digest: expect.stringMatching(/^sha256:/),
      keysetRefused: null,
      keysetRemedies: [],
      providers: [
        {
          provider: "customer-data",
          state: "bound",
          type: "http",
          target: "http://127.0.0.1:8787/context",
          secret: "env:CRM_TOKEN",
          maxItems: 2,
          says: [],
          remedies: [],
        },
        {
          provider: "order-data",
          state: "bound",
          type: "sqlite",
          target: "orders.db table orders",
          secret: null,
          maxItems: 1,
          says: [],
          remedies: [],
        },
      ],
    });
    expect(JSON.stringify(explained)).not.toContain("s3same");
  });

  test("is refused where the file of keys holds none", async () => {
    const folder = createDirectory({ "orders.db": "", "desk.keyset.json": '{"contract":"context-keyset.v1"}' });
    chmodSync(join(folder, "desk.keyset.json"), 0o600);
    const explained = await explain(folder, () => {}, { CRM_TOKEN: "s3same-0pen" });
    expect(explained.keysetRefused).toBe(
      "the secret file:desk.keyset.json holds no keys: the keyset at /keys must be a list of 1 to 64 keys",
    );
    expect(explained.keysetRemedies).toEqual(["write new keys with loopx context keys create '--output=<file>'"]);
  });

  test("is explained for every provider where something is missing, refused, smaller or of no use", async () => {
    const folder = createDirectory();
    symlinkSync("elsewhere", join(folder, "orders.db"));
    const explained = await explain(
      folder,
      (document) => {
        document.providers["customer-data"].maxItems = 1;
        document.providers["old-data"] = { type: "http", url: "https://old.example.com" };
      },
      {},
    );
    expect(explained.keysetRefused).toBe("the secret file:desk.keyset.json does not exist");
    expect(explained.keysetRemedies).toEqual(["write new keys with loopx context keys create '--output=<file>'"]);
    expect(explained.providers.map(({ remedies }: any) => remedies)).toEqual([
      ["export CRM_TOKEN='<the-secret>'"],
      ["name the file itself in providers.order-data.database of the binding"],
      [],
    ]);
    expect(explained.providers.map(({ provider, state, says }: any) => [provider, state, says])).toEqual([
      [
        "customer-data",
        "refused",
        ["the secret env:CRM_TOKEN is not set", "the project takes 2 items, this binding 1"],
      ],
      ["order-data", "refused", ["the database orders.db is a symbolic link"]],
      ["old-data", "unused", ["the project has no provider of this id; the entry is never used"]],
    ]);
    const missing = await explain(folder, (document) => delete document.providers["order-data"], { CRM_TOKEN: "x" });
    expect(missing.providers[1]).toEqual({
      provider: "order-data",
      state: "missing",
      type: null,
      target: null,
      secret: null,
      maxItems: null,
      says: ["the binding has no entry for it; its lookups are NOT_BOUND and its layers UNAVAILABLE"],
      remedies: ["add providers.order-data to the binding"],
    });
  });
});

describe("a binding's place", () => {
  test("inside the project is warned of, also behind a link; beside it isn't", () => {
    const root = createDirectory();
    const project = join(root, "project");
    mkdirSync(join(project, "deploy"), { recursive: true });
    mkdirSync(join(root, "project-bindings"));
    symlinkSync(join(project, "deploy"), join(root, "link"));
    for (const folder of ["project", "project/deploy", "project-bindings"])
      writeFileSync(join(root, folder, "b.json"), "{}");
    const ruleFor = (path: string): string | undefined => findBindingInProject(join(root, path), project)?.rule;
    expect(["project/b.json", "project/deploy/b.json", "link/b.json", "project-bindings/b.json"].map(ruleFor)).toEqual([
      "BINDING_IN_PROJECT",
      "BINDING_IN_PROJECT",
      "BINDING_IN_PROJECT",
      undefined,
    ]);
  });
});
