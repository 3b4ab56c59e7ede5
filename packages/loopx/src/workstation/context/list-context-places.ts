import { isLoopxError, type Ambient } from "@loopx/contracts";
import { listAllContextAttachments, type ContextAttachment } from "@loopx/control-plane";
import type { ContextPlacesAnswer } from "@loopx/workstation/contract";
import { isBindingName } from "../../context/binding-name.ts";
import { findBindingFile } from "../../context/binding-place.ts";
import {
  listRegisteredProjects,
  readRegisteredProject,
  type RegisteredProject,
} from "../../global/registered-project.ts";
import { fromStoredPlace } from "../../goal-context/stored-place.ts";
import { assertTrusted } from "../../project/assert-trusted.ts";
import type { NamedContext, WorkstationWorld } from "../workstation-world.ts";
import { toPlaceId, type ContextPlace } from "./context-place.ts";

/** What the Workstation needs to know of contexts. */
export type ContextSources = Pick<WorkstationWorld, "ambient" | "globals" | "context">;

export interface ContextPlaces {
  readonly places: readonly ContextPlace[];
  readonly unread: ContextPlacesAnswer["unread"];
}

/**
 * The places named at start, then those that goals of this machine have attached.
 *
 * An attachment says which credential goes to which address, so those of an untrusted project are not followed.
 */
export async function listContextPlaces({ ambient, globals, context }: ContextSources): Promise<ContextPlaces> {
  const places = new Map(listNamedPlaces(context, ambient).map((place) => [place.id, place]));
  const unread: { label: string; code: string }[] = [];
  for (const project of await listRegisteredProjects(globals, ambient)) {
    const read = await readAttachments(project, ambient);
    if ("code" in read) unread.push(read);
    else for (const attachment of read.attachments) addAttachment(places, attachment, project.root);
  }
  return { places: [...places.values()], unread };
}

/** One for each trace store that was named, with the same project and binding. */
function listNamedPlaces({ project, binding, traces }: NamedContext, ambient: Ambient): readonly ContextPlace[] {
  if (project === undefined && binding === undefined && traces.length === 0) return [];
  const folder = project ?? ambient.cwd;
  const bound = binding === undefined || isBindingName(binding) ? binding : findBindingFile(binding, ambient);
  return (traces.length === 0 ? [null] : traces).map((store) => {
    const parts = { folder, binding: bound ?? null, traces: store };
    return { ...parts, id: toPlaceId(parts), attachments: [], isNamedAtStart: true };
  });
}

type ReadAttachments =
  | { readonly attachments: readonly ContextAttachment[] }
  | { readonly label: string; readonly code: string };

async function readAttachments(project: RegisteredProject, ambient: Ambient): Promise<ReadAttachments> {
  const read = await readRegisteredProject(project, ambient, listAllContextAttachments);
  if (!read.ok) return { label: read.warning.label, code: read.warning.code };
  const attachments = read.result.filter(({ goal_id: goalId }) => project.goalIds.has(goalId));
  if (attachments.length === 0) return { attachments };
  try {
    await assertTrusted(project, ambient);
    return { attachments };
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return { label: project.label, code: error.code };
  }
}

function addAttachment(places: Map<string, ContextPlace>, attachment: ContextAttachment, root: string): void {
  const { trace_store: traceStore, goal_id, profile, objective, consumer } = attachment;
  const parts = {
    folder: fromStoredPlace(attachment.context_project, root),
    binding: fromStoredPlace(attachment.binding, root),
    traces: traceStore === null ? null : fromStoredPlace(traceStore, root),
  };
  const id = toPlaceId(parts);
  const known = places.get(id) ?? { ...parts, id, attachments: [], isNamedAtStart: false };
  places.set(id, { ...known, attachments: [...known.attachments, { goal_id, profile, objective, consumer }] });
}
