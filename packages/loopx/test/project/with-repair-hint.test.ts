import { LoopxError } from "@loopx/contracts";
import { expect, test } from "vitest";
import { toErrorFor } from "../../src/project/with-repair-hint.ts";

const DAMAGED = new LoopxError("store_corrupt", { message: "damaged", hint: "loopx restore --execute" });

test.each([
  [undefined, "loopx restore --execute"],
  ["../broken one", "loopx restore --execute '--project=../broken one'"],
  ["/home/someone/broken", "in the project's folder: loopx restore --execute"],
])("a repair for --project %j is a command that can be run", (project, hint) => {
  expect(toErrorFor(DAMAGED, project).hint).toBe(hint);
});
