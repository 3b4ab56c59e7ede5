import { parseSettingName, saveSetting } from "@loopx/control-plane";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Changes one setting; one that does not exist is refused. */
export const run: CommandHandler<"config set"> = async ({ flags, globals, ambient, facts }) => {
  const name = parseSettingName(flags.key);
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  return withProject({ globals, ambient, goalId: undefined }, "write", async (project) => {
    const { value } = unwrap(await saveSetting(project.database, { name, value: flags.value }, actor));
    return {
      packet: { ok: true, schema_version: "loopx_config_set_v1", key: name, value },
      text: () => `${name} = ${value}`,
    };
  });
};
