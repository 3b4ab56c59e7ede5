import {
  decideEntry,
  decideFile,
  decideFileState,
  decideRetired,
  type BlockReason,
  type EntryTarget,
  type FileTarget,
  type InstallDecision,
  type InstallOperation,
  type InstallRow,
  type Installer,
  type InstallTarget,
  type RetiredTarget,
} from "@loopx/host-commands";
import {
  removeContainedFile,
  saveCopy,
  toCopyLabel,
  writeContainedFile,
  type KnownFile,
} from "./change-contained-file.ts";
import { readContainedFile } from "./contained-file.ts";
import type { FindPlugin } from "./host-plugins.ts";
import type { HostFile, LocateFile } from "./host-roots.ts";

/** How a plan is carried out. */
export interface PlanRun {
  readonly operation: InstallOperation;
  readonly isDryRun: boolean;
  readonly locate: LocateFile;
  readonly installer: Installer;
  readonly findPlugin: FindPlugin;
}

/**
 * Carries out a plan, or only looks, and says what became of each target. One that is blocked stops no other.
 *
 * Each file is written whole and by itself, so a run that is killed leaves every file old or new, and the next run the rest.
 * Refuses with `store_full` where the disk is.
 */
export async function applyPlan(targets: readonly InstallTarget[], run: PlanRun): Promise<readonly InstallRow[]> {
  const rows: InstallRow[] = [];
  // What a dry run would have made by now.
  const made = new Set<string>();
  // Two entries in one file come out in the opposite order, which restores its bytes.
  for (const target of run.operation === "uninstall" ? targets.toReversed() : targets) {
    const row = await applyTarget(target, run, made);
    if (row !== undefined) rows.push(row);
  }
  return run.operation === "uninstall" ? rows.toReversed() : rows;
}

async function applyTarget(target: InstallTarget, run: PlanRun, made: Set<string>): Promise<InstallRow | undefined> {
  switch (target.kind) {
    case "file":
      return applyFile(target, run, made);
    case "entry":
      return applyEntry(target, run);
    case "retired":
      return applyRetired(target, run);
    default:
      throw new TypeError(`no way to apply ${JSON.stringify(target satisfies never)}`);
  }
}

async function applyFile(target: FileTarget, run: PlanRun, made: Set<string>): Promise<InstallRow> {
  const file = run.locate(target.place);
  const base = { host: target.host, part: target.part, name: target.name, place: toShown(file.label, target) };
  const found = readContainedFile(file);
  if (found.kind === "blocked") return toBlocked(base, found.reason);
  const copy = target.shadows.map(run.locate).find((each) => made.has(each.label) || isThere(each));
  const shadow = run.findPlugin(target) ?? (copy && toShown(copy.label, target));
  const state = decideFileState(textOf(found), target.text);
  const isForeign = target.goesWith !== undefined && isUsersOwn(run.locate(target.goesWith));
  const decided = decideFile(run.operation, state, shadow !== undefined || isForeign);
  const isSkipped = isForeign && decided.status === "shadowed";
  const decision = isSkipped ? ({ status: "skipped_user_file", act: "nothing" } as const) : decided;
  // A removal is about what is here, whatever else there is.
  const isShadow = run.operation !== "uninstall" && state !== "foreign";
  const row = { ...base, ...(isShadow && shadow !== undefined && { shadowedBy: shadow }) };
  if (decision.act === "write" || decision.status === "unchanged") made.add(file.label);
  return perform({ decision, file, found, text: target.text, row }, run);
}

async function applyRetired(target: RetiredTarget, run: PlanRun): Promise<InstallRow | undefined> {
  const file = run.locate(target.place);
  const found = readContainedFile(file);
  const decision =
    found.kind === "text" ? decideRetired(run.operation, decideFileState(found.text, undefined)) : undefined;
  if (decision === undefined || found.kind !== "text") return undefined;
  const row = { host: target.host, part: "legacy_file", place: file.label } as const;
  return perform({ decision, file, found, text: undefined, row }, run);
}

async function applyEntry(target: EntryTarget, run: PlanRun): Promise<InstallRow> {
  const { installer } = run;
  const files = target.places.map(run.locate);
  const file = files.find(isThere) ?? files.at(-1);
  if (file === undefined) throw new RangeError("an entry has a place");
  const base = { host: target.host, part: target.part, place: file.label };
  const found = readContainedFile(file);
  const state = found.kind === "blocked" ? found : installer.readEntry(textOf(found), target);
  if ("reason" in state && target.hostCommand === undefined) return toBlocked(base, state.reason);
  const plugin = run.findPlugin(target);
  const shadow = plugin ?? target.shadows.map(run.locate).find((each) => holdsEntry(each, target, installer))?.label;
  const kind = "reason" in state ? "absent" : state.kind;
  // Where a plugin brings the entry there is nothing to be added to a file that only its host may write.
  const isLeftToHost = target.hostCommand !== undefined && (kind !== "absent" || plugin === undefined);
  const decision = decideEntry(run.operation, kind, { isShadowed: shadow !== undefined, isLeftToHost });
  const row = {
    ...base,
    ...(run.operation !== "uninstall" && kind !== "foreign" && shadow !== undefined && { shadowedBy: shadow }),
    ...(decision.status === "left_to_host" && { hostCommand: target.hostCommand }),
  };
  if (found.kind === "blocked" || decision.act === "nothing") return { ...row, status: decision.status };
  const content = textOf(found);
  const isWrite = decision.act === "write";
  const text = isWrite ? installer.withEntry(content, target) : installer.withoutEntry(content ?? "", target);
  if (text !== undefined && text === content) return toBlocked(base, "unexpected_shape");
  const act = text === undefined ? "remove" : "write";
  return perform({ decision: { status: decision.status, act }, file, found, text, row }, run);
}

interface Performance {
  readonly decision: InstallDecision;
  readonly file: HostFile;
  readonly found: KnownFile;
  readonly text: string | undefined;
  readonly row: Omit<InstallRow, "status">;
}

async function perform({ decision, file, found, text, row }: Performance, run: PlanRun): Promise<InstallRow> {
  if (decision.act === "nothing") return { ...row, status: decision.status };
  const edited = decision.savesCopy === true && found.kind === "text" ? found : undefined;
  if (run.isDryRun) {
    return { ...row, status: decision.status, ...(edited && { savedAs: toCopyLabel(file, edited.text) }) };
  }
  const copy = edited && (await saveCopy(file, edited));
  if (copy !== undefined && "fault" in copy) return toBlocked(row, copy.fault);
  const isWrite = decision.act === "write" && text !== undefined;
  const fault = await (isWrite ? writeContainedFile(file, found, text) : removeContainedFile(file, found));
  return fault === undefined ? { ...row, status: decision.status, ...copy } : toBlocked(row, fault);
}

function holdsEntry(file: HostFile, target: EntryTarget, { readEntry }: Installer): boolean {
  const found = readContainedFile(file);
  const state = found.kind === "text" ? readEntry(found.text, target).kind : "absent";
  return state === "current" || state === "stale";
}

function isThere(file: HostFile): boolean {
  return readContainedFile(file).kind !== "absent";
}

function isUsersOwn(file: HostFile): boolean {
  const found = readContainedFile(file);
  return found.kind === "text" && decideFileState(found.text, undefined) === "foreign";
}

function textOf(found: KnownFile): string | undefined {
  return found.kind === "text" ? found.text : undefined;
}

function toBlocked(row: Omit<InstallRow, "status">, reason: BlockReason): InstallRow {
  return { ...row, status: "blocked", reason };
}

/** Facades of one host share a folder, also where another host's copies stand; what else is named by its file. */
function toShown(label: string, { part, place }: FileTarget): string {
  if (part !== "facade" && part !== "policy") return label;
  const [folder = ""] = place.path.split("/");
  return label.slice(0, label.length - place.path.length + folder.length);
}
