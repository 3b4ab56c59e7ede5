import type { GuidedStartFacts } from "../guided-start/guided-start-facts.ts";
import type { PrintCommand } from "../print-command.ts";
import { SURFACES, type Surface } from "../surfaces/surface.ts";
import type { CommandPackPacket } from "./command-pack-packet.ts";
import { renderCommandPackText } from "./command-pack-text.ts";
import { renderCommandPack } from "./command-pack.ts";

/** The lower-level fields that a compact start leaves out: connection, next step, bootstrap message, surface catalogue. */
export interface CommandPackDetail {
  readonly bootstrap: CommandPackPacket;
  readonly message: string;
  readonly surfaces: readonly Surface[];
}

export function renderCommandPackDetail(facts: GuidedStartFacts, print: PrintCommand): CommandPackDetail {
  const bootstrap = renderCommandPack({ ...facts, followedWorktreeToLabel: undefined }, print);
  return { bootstrap, message: renderCommandPackText(bootstrap), surfaces: SURFACES };
}
