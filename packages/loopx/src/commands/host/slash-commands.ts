import { renderCommandCatalog, renderCommandCatalogText, renderHostRegistry } from "@loopx/host-commands";
import { isBuilt } from "../../host-message/unbuilt-targets.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows the slash commands, or with `--host-registry` what a host recognises them by. */
export const run: CommandHandler<"slash-commands"> = ({ flags }) => {
  const catalog = renderCommandCatalog(isBuilt);
  return {
    packet: flags.hostRegistry ? renderHostRegistry(isBuilt) : catalog,
    text: () => renderCommandCatalogText(catalog),
  };
};
