import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { toProviderEnvironment } from "../dispatch/provider-environment.ts";
import { runProviderProcess } from "../dispatch/provider-process.ts";
import { isUnchanged } from "../dispatch/dispatch-request.ts";
import type { RuntimeBinding } from "../dispatch/runtime-binding.ts";
import type { ProbeWorld } from "../doctor/probe-program.ts";
import type { ConformanceCheck } from "@loopx/contracts";
import type { RetrieveCase } from "./retrieve-cases.ts";

const MOST_NAMED = 3;

/** Asks once more with an empty home and an empty temporary folder, and looks what is there afterwards. */
export async function checkWritesNothing(
  binding: RuntimeBinding,
  { request, timeoutMs }: RetrieveCase,
  world: ProbeWorld,
): Promise<ConformanceCheck> {
  const name = "writes nothing";
  const home = mkdtempSync(join(tmpdir(), "loopx-check-"));
  try {
    const end = await runProviderProcess({
      argv: binding.argv,
      input: Buffer.from(JSON.stringify(request), "utf8"),
      environment: toProviderEnvironment({ PATH: world.environment["PATH"], HOME: home, TMPDIR: home }),
      timeoutMs,
      signal: world.signal,
    });
    const left = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(home, join(entry.parentPath, entry.name)));
    const found = [
      ...(left.length === 0
        ? []
        : [`it left ${left.length} file(s) in its home, such as ${left.slice(0, MOST_NAMED).join(", ")}`]),
      ...(end.kind === "exited" && end.hasLeftFiles ? ["it left files in its working folder"] : []),
      ...(isUnchanged(binding) ? [] : ["it changed the extension's own folder"]),
    ];
    if (found.length === 0) return { name, state: "passed", found: "home, working and own folder are as before" };
    return {
      name,
      state: "failed",
      found: found.join("; "),
      remedy: "only read: a provider keeps no index, cache or log",
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
