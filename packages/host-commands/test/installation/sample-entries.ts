import type { EntryTarget, InstallHost } from "../../src/index.ts";
import { planInstallation, type PlanRequest } from "../../src/installation/installer.ts";

/** A plan with everything in it, as on a machine where loopx is on PATH. */
export const REQUEST: PlanRequest = {
  scope: "user",
  version: "1.2.3",
  shellProgram: "loopx",
  argv: ["/opt/node 20/bin/node", "/opt/loopx/bin/loopx.cjs"],
  codexSurface: undefined,
};

/** The entries of one host's plan, by part. */
export function entryOf(
  host: InstallHost,
  part: EntryTarget["part"],
  request: Partial<PlanRequest> = {},
): EntryTarget["entry"] {
  const target = planInstallation(host, { ...REQUEST, ...request }, "all").find(
    (each): each is EntryTarget => each.kind === "entry" && each.part === part,
  );
  if (target === undefined) throw new Error(`${host} has no ${part}`);
  return target.entry;
}
