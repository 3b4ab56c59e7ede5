import { loadSetting, parseSettingName } from "@loopx/control-plane";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows one setting. */
export const run: CommandHandler<"config get"> = async ({ flags, globals, ambient }) => {
  const key = parseSettingName(flags.key);
  return withProject({ globals, ambient, goalId: undefined }, "read", async (project) => {
    const value = await project.database.read((tx) => loadSetting(tx, key));
    return { packet: { ok: true, schema_version: "loopx_config_get_v1", key, value }, text: () => value };
  });
};
