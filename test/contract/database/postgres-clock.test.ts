import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { toInstant, type Ambient } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { createServerStore, openServerStore } from "../../../packages/loopx/src/server-store/open-server-store.ts";
import { isPostgresThere, newSchemaName, postgresUrl } from "./postgres-store.ts";
import { createTemporaryDirectory } from "./temporary-store.ts";

function createAmbientAhead(directory: string, aheadMs: number): Ambient {
  return {
    now: () => toInstant(Date.now() + aheadMs),
    newId: (prefix) => `${prefix}_${newSchemaName().slice(-16)}`,
    env: { HOME: directory, LOOPX_HOME: join(directory, "home"), LOOPX_STORE_URL: postgresUrl() },
    cwd: directory,
  };
}

describe.skipIf(!isPostgresThere())("the clocks of a machine and of the server that keeps its project", () => {
  test.each([-3_600_000, -8_000, 8_000, 3_600_000])(
    "%d ms apart: reading goes on, and nothing is written",
    async (ms) => {
      const root = createTemporaryDirectory();
      mkdirSync(join(root, ".loopx"));
      const chosen = { url: postgresUrl(), password: undefined, projectId: undefined };
      await (await createServerStore(root, chosen, createAmbientAhead(root, 0))).close();
      const apart = createAmbientAhead(root, ms);
      await expect(openServerStore(root, { access: "write" }, apart)).rejects.toMatchObject({
        code: "store_failed",
        message: expect.stringContaining("clock"),
      });
      await (await openServerStore(root, { access: "read" }, apart)).close();
      await (await openServerStore(root, { access: "write" }, createAmbientAhead(root, ms / Math.abs(ms)))).close();
    },
  );
});
