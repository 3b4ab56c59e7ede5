import { LoopxError, neutraliseForTerminal } from "@loopx/contracts";
import {
  assembleEvidence,
  createAdvisoryExtension,
  decideActivation,
  isExtensionProvider,
  loadCursors,
  parseAskedRecall,
  parseDecisionId,
  toRecallQuestion,
  type Activation,
  type AssembledEvidence,
  type EvidenceSources,
  type LoadedProfile,
  type Profile,
  type Rebase,
} from "@loopx/decision-context";
import type { CommandInput } from "../commands/command-handler.ts";
import type { OpenProject } from "../project/open-project.ts";
import { createAdvisoryRuntime } from "./advisory-runtime.ts";
import { loadProfile } from "./load-profile.ts";
import { SOURCE_ADAPTER_NAMES } from "./source-adapter-names.ts";
import { listSourceAdapters } from "./source-adapters.ts";

export type AssemblyInput = Pick<
  CommandInput<"decision-context prepare-evidence">,
  "flags" | "globals" | "ambient" | "note" | "onInterrupt"
>;

/** What one look at a goal's sources gave, under which profile. */
export interface RanAssembly {
  readonly activation: Activation;
  readonly loaded: LoadedProfile;
  /** Null where the activation says no: nothing was read. */
  readonly evidence: AssembledEvidence | null;
}

/** Asked of recall where a decision brings no question of its own. */
const USUAL_QUERY = "current decision evidence";
const USUAL_SCAN_TIMEOUT_S = 10;

/**
 * Reads sources and recall under the profile that `--profile` names. Holds no transaction while it does.
 *
 * Refuses with `evidence_outdated` when the profile was edited meanwhile.
 */
export async function runAssembly(input: AssemblyInput, project: OpenProject, rebase: Rebase): Promise<RanAssembly> {
  const { flags, globals, ambient, note } = input;
  const decisionId = parseDecisionId(flags.decisionId);
  const loaded = loadProfile(flags.profile, ambient);
  const { activation, profile } = decideActivation(loaded, { ...flags, adapters: SOURCE_ADAPTER_NAMES });
  if (profile === null) return { activation, loaded, evidence: null };
  const observedAt = flags.observedAt ?? ambient.now();
  const request = {
    decisionId,
    sourceIds: flags.sourceId,
    observedAt,
    before: flags.before ?? observedAt,
    timeoutMs: (flags.scanTimeout ?? USUAL_SCAN_TIMEOUT_S) * 1000,
    rebase,
  };
  const parts = {
    adapters: listSourceAdapters(ambient),
    cursors: await project.database.read((tx) => loadCursors(tx, profile.goal_id)),
    recall: toRecall(input, profile, observedAt),
    monotonicMs: () => performance.now(),
  };
  const evidence = await assembleEvidence(profile, request, parts);
  if (globals.verbose && evidence.diagnostic !== null) note(neutraliseForTerminal(`recall: ${evidence.diagnostic}`));
  const after = loadProfile(flags.profile, ambient);
  if (loaded.kind === "read" && after.kind === "read" && loaded.digest === after.digest) {
    return { activation, loaded, evidence };
  }
  throw new LoopxError("evidence_outdated", {
    message: "the profile was edited while its sources were read; nothing was written",
    hint: "run it again",
    details: { reason_code: "profile_changed" },
  });
}

/** Without a scope in the profile there is nothing that an assembly could ask about: one-off recall brings its own. */
function toRecall(
  { flags, ambient, onInterrupt }: AssemblyInput,
  { context_provider: settings }: Profile,
  observedAt: string,
): EvidenceSources["recall"] {
  if (settings === null || settings.scope_ref === null) return null;
  const asked = parseAskedRecall({
    scopeRef: settings.scope_ref,
    query: flags.query ?? USUAL_QUERY,
    querySummary: flags.querySummary ?? (flags.query === undefined ? "evidence of past sessions" : "decision evidence"),
    maxResults: undefined,
    timeoutSeconds: undefined,
    observedAt,
  });
  const provider = isExtensionProvider(settings)
    ? createAdvisoryExtension(settings.config.extension_id, createAdvisoryRuntime(ambient, onInterrupt))
    : null;
  return { provider, question: toRecallQuestion(asked, settings) };
}
