import type { Ambient } from "@loopx/contracts";
import { bindVerified, listActiveExtensions } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { withHomeToRead } from "../../project/open-home.ts";
import type { DoctorCheck } from "./doctor-check.ts";

/** Whether each extension that is in use is ready: nothing is started for that. */
export async function checkExtensions(ambient: Ambient): Promise<DoctorCheck> {
  const name = "extensions";
  const all = await withHomeToRead(ambient, async (home) => home?.read(listActiveExtensions) ?? []);
  const inUse = all.filter(({ extension }) => extension.enabled);
  const [first, ...others] = inUse.filter((active) => bindVerified(active) === undefined);
  if (first === undefined) {
    return { name, state: "ok", found: inUse.length === 0 ? "none in use" : `${inUse.length} in use, each verified` };
  }
  const ids = [first, ...others].map(({ extension }) => extension.extension_id);
  return {
    name,
    state: "warning",
    found: `in use and not verified, so they are not asked: ${ids.slice(0, 5).join(", ")}`,
    remedy: printCommand("extension doctor", { execute: true }, { positionals: [ids[0] ?? ""] }).shell,
  };
}
