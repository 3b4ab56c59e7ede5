import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { format, inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { isLoopxError, toCanonicalJson } from "@loopx/contracts";
import { parseSecretReference, resolveSecret } from "../../src/binding/secret-reference.ts";
import { Secret } from "../../src/binding/secret.ts";
import { createDirectory } from "../project/temporary-directory.ts";

function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return isLoopxError(error) ? `${error.code}: ${error.message}` : String(error);
  }
  return "nothing was refused";
}

function secretIn(content: string, change: (path: string) => void = (path) => chmodSync(path, 0o600)): string {
  const path = join(createDirectory({ token: content }), "token");
  change(path);
  return path;
}

describe("a reference", () => {
  test.each([
    ["env:CRM_TOKEN", { kind: "env", name: "CRM_TOKEN" }],
    ["file:keys/crm", { kind: "file", path: "/srv/keys/crm" }],
    ["file:/run/secrets/crm", { kind: "file", path: "/run/secrets/crm" }],
    ["file:../crm", { kind: "file", path: "/crm" }],
    ["env:", undefined],
    ["env:A-B", undefined],
    ["env:A=B", undefined],
    ["file:", undefined],
    ["file:a\0b", undefined],
    ["ENV:CRM_TOKEN", undefined],
    ["CRM_TOKEN", undefined],
    ["s3same-0pen", undefined],
  ])("%j names %j", (text, expected) => {
    expect(parseSecretReference(text, "/srv")).toEqual(expected);
  });
});

describe("the secret a reference names", () => {
  test("is the variable's value, or the file's without its last line break", () => {
    expect(resolveSecret({ kind: "env", name: "A" }, { A: "s3same" }).reveal()).toBe("s3same");
    for (const mode of [0o600, 0o400]) {
      const path = secretIn("s3same\n", (file) => chmodSync(file, mode));
      expect(resolveSecret({ kind: "file", path }, {}).reveal()).toBe("s3same");
    }
    expect(resolveSecret({ kind: "file", path: secretIn("a\n\n") }, {}).reveal()).toBe("a\n");
  });

  test.each([0o640, 0o604, 0o644, 0o660, 0o602, 0o610])("is refused where others may use the file: %o", (mode) => {
    const path = secretIn("s3same", (file) => chmodSync(file, mode));
    expect(refusalOf(() => resolveSecret({ kind: "file", path }, {}))).toBe(
      "secret_unavailable: the secret file:token can be read or written by others",
    );
  });

  test("is refused behind a link, as a directory or FIFO, too large, empty, missing", () => {
    const root = createDirectory();
    symlinkSync(secretIn("s3same"), join(root, "link"));
    mkdirSync(join(root, "directory"), { mode: 0o700 });
    execFileSync("mkfifo", ["-m", "600", join(root, "fifo")]);
    const refusal = (path: string): string => refusalOf(() => resolveSecret({ kind: "file", path }, {}));
    expect(refusal(join(root, "link"))).toBe("secret_unavailable: the secret file:link is a symbolic link");
    expect(refusal(join(root, "directory"))).toBe(
      "secret_unavailable: the secret file:directory is not a regular file",
    );
    expect(refusal(join(root, "fifo"))).toBe("secret_unavailable: the secret file:fifo is not a regular file");
    expect(refusal(join(root, "gone"))).toBe("secret_unavailable: the secret file:gone does not exist");
    expect(refusal(secretIn("x".repeat(65_537)))).toBe(
      "secret_unavailable: the secret file:token is over the limit of 65536 bytes",
    );
    expect(refusal(secretIn("\n"))).toBe("secret_unavailable: the secret file:token is empty");
    expect(refusal(secretIn("a\0b"))).toBe("secret_unavailable: the secret file:token is not text");
    expect(refusalOf(() => resolveSecret({ kind: "env", name: "A" }, {}))).toBe(
      "secret_unavailable: the secret env:A is not set",
    );
  });
});

test("a secret shows itself in no log, message, template, JSON or error", () => {
  const secret = new Secret("s3same-0pen");
  const shown = [
    String(secret),
    // oxlint-disable-next-line typescript/restrict-template-expressions -- the mistake that must be harmless
    `${secret}`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ a: [secret] }, { showHidden: true, depth: null }),
    format("%s %o %j", secret, secret, secret),
    Object.keys(secret).join(""),
    new Error("bad", { cause: secret }).stack ?? "",
  ];
  for (const text of shown) expect(text).not.toContain("s3same");
  expect(shown.slice(0, 4)).toEqual(["[secret]", "[secret]", '{"secret":"[secret]"}', "[secret]"]);
  expect(refusalOf(() => toCanonicalJson({ secret }))).toMatch(/^invalid_value/);
  expect(structuredCloneOf(secret)).not.toContain("s3same");
});

function structuredCloneOf(value: unknown): string {
  return inspect(structuredClone(value), { showHidden: true });
}
