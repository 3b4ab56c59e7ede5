import { describe, expect, test } from "vitest";
import { toFileError } from "../../src/files/file-errors.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, open '/home/me/secret'`), { code });
}

describe("toFileError", () => {
  test.each([
    { system: "EACCES", code: "file_not_writable" },
    { system: "EROFS", code: "file_not_writable" },
    { system: "ENOSPC", code: "store_full" },
    { system: "EDQUOT", code: "store_full" },
  ])("$system becomes $code, told without the path", ({ system, code }) => {
    const error = toFileError(systemError(system), "the registry");
    expect(error).toMatchObject({ code, message: expect.stringContaining("the registry") });
    expect(String(error)).not.toContain("secret");
  });

  test("what is no file error passes as it is", () => {
    const fault = new TypeError("a fault");
    expect(toFileError(fault, "the registry")).toBe(fault);
  });
});
