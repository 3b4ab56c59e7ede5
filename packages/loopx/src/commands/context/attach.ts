import { resolve } from "node:path";
import { fromRefusal, LoopxError } from "@loopx/contracts";
import { attachContext, FROM_TARGET_KEY, type AttachContextRequest } from "@loopx/control-plane";
import { createBuild, loadContextProject, parseTurnRequest, planTurn } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { findBindingFile, loadBinding } from "../../context/binding-place.ts";
import { parseInputs } from "../../context/parse-inputs.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import { assertTraceFolder } from "../../context/trace-store-place.ts";
import { renderAttachmentChange } from "../../goal-context/attachment-packet.ts";
import { toStoredPlace } from "../../goal-context/stored-place.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"context attach">;
type Attachment = AttachContextRequest["attachment"];

/** Records what a goal's turns ask for, once project and binding show that it can be asked. */
export const run: CommandHandler<"context attach"> = async (input) => {
  const { flags, globals, ambient, facts } = input;
  const { goalId } = flags;
  if (flags.store !== undefined) assertTraceFolder(flags.store, "--store");
  const caller = await identifyCaller({ ambient, facts }, flags);
  // `--project` names the Context Project here; the goal is found by its id.
  const { project: _folder, ...otherGlobals } = globals;
  const query = { globals: otherGlobals, ambient, goalId };
  return withGoal(query, "write", async ({ database, root }) => {
    const folder = findProjectFolder(globals.project, ambient);
    await loadBinding(flags.binding, ambient);
    const asked = await parseAsked(input, folder);
    const attachment: Attachment = {
      goal_id: goalId,
      ...asked,
      context_project: toStoredPlace(folder, root),
      binding: toStoredBinding(flags.binding, root, input),
      trace_store: flags.store === undefined ? null : toStoredPlace(resolve(ambient.cwd, flags.store), root),
    };
    const answer = unwrap(await attachContext(database, { caller, attachment }, ambient));
    const { profile: contextProfile } = asked;
    const agentId = flags.agentId ?? "<agent-id>";
    const next = [printCommand("quota should-run", { goalId, agentId, contextProfile }).shell];
    return renderAttachmentChange({ done: "attached", already: "attached already" }, answer, next);
  });
};

/** A bare name is one in the LoopX home. */
function toStoredBinding(written: string, root: string, { ambient }: Input): string {
  const file = findBindingFile(written, ambient);
  return resolve(ambient.cwd, written) === file ? toStoredPlace(file, root) : written;
}

type Asked = Pick<Attachment, "profile" | "objective" | "consumer" | "inputs">;

/** Refuses with `invalid_value` what the project doesn't know: nobody is there to read it when a turn asks. */
async function parseAsked({ flags }: Input, folder: string): Promise<Asked> {
  const inputs = parseInputs(flags.input);
  for (const [name, value] of Object.entries(inputs)) assertKnownReference(name, value);
  const { objective, consumer } = flags;
  const request = parseTurnRequest({ objective, consumer, profile: flags.profile, inputs });
  const { project, files } = await loadContextProject(folder);
  const plan = planTurn(createBuild(project, files), request);
  if ("ok" in plan) throw fromRefusal(plan);
  return { profile: plan.profile.id, objective, consumer, inputs };
}

function assertKnownReference(name: string, value: string): void {
  if (!value.startsWith("todo.") || value === FROM_TARGET_KEY) return;
  throw new LoopxError("invalid_value", {
    message: `the input ${name} names a field of the todo that turns don't ask by`,
    hint: `${name}=${FROM_TARGET_KEY} is the key of what the todo is about`,
    details: { flag: "--input" },
  });
}
