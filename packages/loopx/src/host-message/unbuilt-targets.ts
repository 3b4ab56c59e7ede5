import type { HostCommand } from "@loopx/host-commands";

/**
 * Commands of the host registry whose CLI command this program lacks. They are recognised and answered with help.
 *
 * A test holds this list against the command table. Once it is empty, delete this file and what it feeds: `isBuilt` in
 * `slash-commands.ts` and `answer-host-message.ts`.
 */
const UNBUILT_TARGETS: readonly string[] = [];

/** Whether the command behind a host command exists. */
export function isBuilt(command: HostCommand): boolean {
  return !UNBUILT_TARGETS.includes(command.target);
}
