import { loadSetting, SETTINGS, type SettingName } from "@loopx/control-plane";
import { renderTable } from "../../output/render-table.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Lists every setting with its value. */
export const run: CommandHandler<"config list"> = async ({ globals, ambient }) =>
  withProject({ globals, ambient, goalId: undefined }, "read", async (project) => {
    const names = Object.keys(SETTINGS) as SettingName[];
    const settings = await project.database.read(async (tx) => {
      const rows: { key: string; value: string; default: string; describe: string }[] = [];
      for (const name of names) {
        const { default: fallback, describe } = SETTINGS[name];
        rows.push({ key: name, value: await loadSetting(tx, name), default: fallback, describe });
      }
      return rows;
    });
    return {
      packet: { ok: true, schema_version: "loopx_config_list_v1", settings },
      text: (style) =>
        renderTable(
          [{ title: "SETTING" }, { title: "VALUE" }, { title: "DEFAULT" }, { title: "" }],
          settings.map((setting) => [setting.key, setting.value, setting.default, setting.describe]),
          style,
        ),
    };
  });
