import { isUtf8 } from "node:buffer";
import { LoopxError } from "@loopx/contracts";
import {
  parseHostSurface,
  parseUiSurface,
  prefixesOf,
  renderCommandCatalog,
  renderCommandCatalogText,
  renderHandoffText,
  renderHostHelpText,
} from "@loopx/host-commands";
import { answerHostMessage } from "../../host-message/answer-host-message.ts";
import { streamStandardInput } from "../../input/read-standard-input.ts";
import type { CommandResult } from "../../output/command-result.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Says what a visible message asks for. Fails with help where it begins like a command and is none. */
export const run: CommandHandler<"host-parse"> = async ({ flags, globals, ambient }) => {
  const hostSurface = parseHostSurface(flags.hostSurface);
  const uiSurface = parseUiSurface(flags.uiSurface);
  const message = flags.message === "-" ? await readMessage(flags.fromHeredoc) : flags.message;
  const { threadId, selectedFile } = flags;
  const answer = await answerHostMessage(message, prefixesOf(hostSurface), {
    globals,
    ambient,
    hostSurface,
    uiSurface,
    threadId,
    selectedFile,
  });
  switch (answer.kind) {
    case "ordinary":
      return ORDINARY;
    case "handoff":
      return { packet: answer.packet, text: () => renderHandoffText(answer.packet) };
    case "help": {
      const catalog = renderCommandCatalog();
      const text = (): string => renderHostHelpText(answer.packet, renderCommandCatalogText(catalog));
      return { packet: answer.packet, text, exitCode: 2 };
    }
    default:
      throw new TypeError(`no result for ${JSON.stringify(answer satisfies never)}`);
  }
};

const ORDINARY: CommandResult = {
  packet: { ok: true, schema_version: "loopx_host_parse_v0", outcome: "ordinary_chat" },
  text: () => "ordinary chat: no command for LoopX",
};

/** A here-document ends in a newline, whatever stands in it. */
async function readMessage(isHeredoc: boolean): Promise<string> {
  const bytes = await streamStandardInput().catch((cause: unknown) => {
    throw new LoopxError("file_not_readable", {
      message: "stdin, named with --message=-, cannot be read",
      hint: "pipe the message in, or give it as --message=TEXT",
      details: { field: "message" },
      cause,
    });
  });
  if (isUtf8(bytes)) return isHeredoc ? bytes.toString("utf8").replace(/\n$/, "") : bytes.toString("utf8");
  throw new LoopxError("text_not_storable", {
    message: "the message on stdin holds ill-formed Unicode",
    hint: "pipe it in as UTF-8",
    details: { field: "message" },
  });
}
