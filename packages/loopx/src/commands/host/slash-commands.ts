import { renderCommandCatalog, renderCommandCatalogText, renderHostRegistry } from "@loopx/host-commands";
import type { CommandHandler } from "../command-handler.ts";

/** Shows the slash commands, or with `--host-registry` what a host recognises them by. */
export const run: CommandHandler<"slash-commands"> = ({ flags }) => {
  const catalog = renderCommandCatalog();
  return {
    packet: flags.hostRegistry ? renderHostRegistry() : catalog,
    text: () => renderCommandCatalogText(catalog),
  };
};
