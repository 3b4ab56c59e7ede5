// Every requirement of the three seeds, one row each; over the usual length because it is a list.

/** `000` Decision Context provider, `003` host command registry, `004` Runtime Context providers. */
export type Seed = "000" | "003" | "004";

/** One thing a seed asks for. `not_yet_built` is a known gap: it is listed, and no test may claim it. */
export interface Requirement {
  readonly id: string;
  readonly seed: Seed;
  /** The requirement in our own words. */
  readonly says: string;
  readonly status: "built" | "not_yet_built";
}

const HOST_COMMANDS_BUILT = {
  "commands.bare-loopx-reads":
    "Bare /loopx is `bootstrap-command-pack --project .`: it reads, previews and writes nothing.",
  "commands.goal-text-starts":
    "/loopx with a text is `start-goal --guided --project . --goal-text`: an explicit local start.",
  "project.label-instead-of-path":
    "A packet names its project by a public label; no absolute path of the machine is in it.",
  "project.unresolved-root-writes-nothing":
    "Without a project root both commands answer a setup packet and write no state.",
  "project.home-is-no-project": "The root is taken from what the caller gives; the home directory is never one.",
  "project.start-is-exact":
    "start-goal keeps exactly its project: a fresh linked worktree inherits no goal of another.",
  "project.command-pack-follows-worktree":
    "bootstrap-command-pack may follow a linked worktree to its registered source.",
  "project.active-state-id": "The field stays goal_id; people read it as the active state id.",
  "identity.codex-thread-id": "On Codex surfaces, codex-app-ssh too, CODEX_THREAD_ID is the thread when none is named.",
  "identity.unbound-thread-is-gated":
    "A thread without a binding, where lanes exist, gets an identity gate and no write.",
  "identity.fresh-without-lanes": "A goal without a lane registers a fresh one by default.",
  "identity.new-peer-is-fresh": "--new-peer registers a fresh lane beside those that exist.",
  "identity.takeover-is-explicit": "Acting as an existing lane is an explicit choice, never a default.",
  "identity.bind-before-todos":
    "The chosen identity is bound with --execute, and read back, before any todo is written.",
  "identity.bound-thread-keeps-agent":
    "Later starts of the same surface, goal and thread keep the agent in every command.",
  "identity.no-thread-stays-closed":
    "Without a stable thread only an explicit --agent-id or --new-peer opens the gate.",
  "identity.thread-ids-are-tokens":
    "A thread id is an opaque token: paths, quotes, white space and placeholders are refused.",
  "identity.nothing-private-is-kept":
    "With a thread no transcript, credential or path that a host told is stored: only its opaque id.",
  "deep-link.canonical-form": "codex://threads/<thread-id> is the form that locates a task; anything else is refused.",
  "deep-link.family-search":
    "Without a surface the four surfaces of the Codex family are searched, and the match is named.",
  "deep-link.surface-narrows": "A named surface of the family narrows the lookup; one outside it is refused.",
  "deep-link.bound-names-one-lane": "A bound answer names exactly one goal and one agent.",
  "deep-link.missing-grants-nothing":
    "Missing says that the link is well formed, no more: nothing may be taken over for it.",
  "deep-link.doubt-fails-closed": "Ambiguous and invalid references fail, and the link is not repeated.",
  "deep-link.stores-nothing": "Resolving stores nothing and answers a locator with authority=locator_only.",
  "deep-link.no-second-identity":
    "A link is no identity: who received one registers and binds a lane of its own, and can't write as the other's.",
  "deep-link.locates-for-inspection":
    "The answer gives the thread id, for a host that can look into tasks; whether it may is not LoopX's to say.",
  "deep-link.both-sides-are-told":
    "People and agents are told, in English and Chinese: own lane first, who does what, relay context, a worktree each.",
  "deep-link.context-scope-ref": "A parsed link gives the provider-neutral scope host-session:codex:<thread-id>.",
  "deep-link.recall-scope":
    "The scope of a link may be the argument of a one-off recall without a change to the profile.",
  "start.compact-by-default":
    "The default packet nests neither the whole pack nor a second copy of what it says already.",
  "start.hot-path":
    "The compact packet keeps steps, planning and safety contract, ids, commands, activation, cold path.",
  "start.detail-on-request":
    "--include-command-pack-detail, and the command the packet prints for it, give the lower fields.",
  "start.detail-same-host-action": "Compact and detailed packets carry the same host action, byte for byte.",
  "start.surface-gate": "Without --host-surface a read-only gate answers, with an exact rerun command per surface.",
  "start.surface-gate-writes-nothing":
    "That gate connects no project, writes no todo, activates no host and spends nothing.",
  "start.surface-alias": "codex-ide is accepted for codex-ide-plugin and never offered.",
  "start.ambiguous-surface-refused": "`codex` names several hosts and is refused; none is guessed.",
  "start.text-is-exact": "The user's task text is kept exactly, and quoted safely wherever a command carries it.",
  "start.order": "Plan, ordered todos, refreshed state, host loop, guard; work only when the guard allows it.",
  "activation.per-host":
    "Automation on Codex App, a visible /goal on SSH and CLI, /loop on Claude Code, a driver elsewhere.",
  "permission.preview-stops": "A preview stops before every write that needs a confirmation, and says what it did.",
  "permission.restricted-actions":
    "Destructive git, credentials, private material, production, publication wait for approval.",
  "fallback.bootstrap-command-pack": "loopx bootstrap-command-pack --project . works from a shell.",
  "fallback.command-pack-goal-text": "loopx bootstrap-command-pack --goal-text gives the lower-level start.",
  "fallback.start-goal": "loopx start-goal --guided with surface and text works from a shell.",
  "fallback.start-goal-detail": "The JSON form with --include-command-pack-detail works from a shell.",
  "fallback.should-run-registry":
    "loopx --format json --registry FILE quota should-run works with the global registry.",
  "global.summary": "/loopx-global-summary reads one digest of the control plane.",
  "global.gates": "/loopx-global-gates reads the gate inbox.",
  "global.todos": "/loopx-global-todos reads the work queue.",
  "global.risks": "/loopx-global-risks reads the risks.",
  "global.read-only": "Global commands approve, add, spend, merge, publish, pause and resume nothing.",
  "global.without-project": "Global commands run without a project root where the shared registry is there.",
  "fallback.global-summary": "loopx global-summary works from a shell.",
  "pr-review.cli-first": "/loopx-pr-review runs the review CLI before anything is answered.",
  "pr-review.no-project-state": "It changes no project state but a follow-up that its contract records.",
  "fallback.pr-review": "loopx pr-review works from a shell.",
  "surface.map":
    "host_integration_surface_v0 maps a host's lifecycle reads and controlled writes to command lines and tools.",
  "surface.same-rules": "What a host reads and writes through tools is what the CLI answers, refusals included.",
  "surface.never-an-owner": "A host's integration grants no authority: whoever calls through it is never an owner.",
  "hosts.registry.minimal-set": "The host registry offers the seven commands with kind, protocol, baseline and policy.",
  "hosts.registry.unknown-policy": "The registry says that an unknown command fails closed with slash help.",
  "hosts.registry.no-extra-aliases": "/loopx-global-summary is the one global digest; no further summary alias exists.",
  "hosts.parse.exact-token": "Only an exact command token at the start of the visible message is a command.",
  "hosts.parse.before-prompt": "The host parses before the agent's prompt sees the message.",
  "hosts.parse.bare-is-preview": "/loopx without a text is the status preview.",
  "hosts.parse.text-is-exact": "What follows /loopx is handed over exactly, and quoted for display.",
  "hosts.parse.legacy-canonicalised": "Known /loop-global-* become /loopx-global-* in packets, help and labels.",
  "hosts.parse.unknown-fails-closed": "An unknown /loopx-* answers the slash-commands help, never ordinary chat.",
  "hosts.parse.pr-review-route": "/loopx-pr-review goes to its own contract, never to the project bootstrap.",
  "hosts.handoff.packet":
    "The handoff carries command forms, task text, surface, label, ids, protocol, preview, next step.",
  "hosts.handoff.authority": "Its authority allows reads and local writes, never global control or production.",
  "hosts.handoff.nothing-private": "It holds no transcript, credential, document body or absolute path.",
  "hosts.cli-is-the-truth": "Whatever a host parses leads to a command line that the CLI takes, as the user meant it.",
  "hosts.no-hidden-runner":
    "Nothing runs by itself: a hook starts nothing, and no driver starts inside an agent's host.",
  "hosts.no-new-authority": "Parsing turns visible intent into the CLI lifecycle and grants nothing.",
  "fallback.slash-commands": "loopx slash-commands shows the commands.",
  "hosts.parse.preferred-over-skill": "Host parsing is the preferred way; a skill is only the fallback.",
  "fallback.slash-commands-install": "loopx slash-commands --install installs the facades.",
  "hosts.agent-types.list": "agent-onboard --list-agent-types lists the canonical agent types.",
  "hosts.agent-types.ambiguous-refused": "An ambiguous type such as codex is refused with the types it could mean.",
  "activation.custom-driver": "A custom agent declares its loop driver through agent-onboard.",
  "activation.missing-or-stale": "A start activates the host loop where it is missing or stale.",
  "fallback.agent-onboard": "loopx agent-onboard --agent-type T --project . answers the activation of that type.",
  "install.codex-skills": "Facades are installed as ~/.codex/skills/loopx*/SKILL.md, explicit only.",
  "install.claude-skills": "Facades are installed as ~/.claude/skills/loopx*/SKILL.md.",
  "install.overwrites-only-own":
    "Managed and legacy generated files are overwritten; a user's file of the name is skipped.",
  "install.facade-beside-workflow-skill":
    "The facade stays distinct from the workflow skill, which may be invoked implicitly.",
} as const;

const DECISION_CONTEXT_BUILT = {
  "obelisk.public-cli": "loopx-obelisk uses only --version and the read-only --query of the Obelisk CLI.",
  "obelisk.exact-session": "It filters to exactly the session asked for and leaves the invoking session out.",
  "obelisk.past-codex-tasks":
    "loopx-obelisk is an optional distribution that implements the protocol for past Codex tasks.",
  "obelisk.no-other-way":
    "It imports nothing of Obelisk, reads no SQLite file, never builds or attunes, and controls no live task.",
  "obelisk.visible-text-only": "Only visible user and assistant text rows come back.",
  "advisory.compact-errors":
    "Provider errors are compact reason codes; no output of the process and no path is copied.",
  "advisory.content-in-process": "Content and resource references stay in the process during evidence assembly.",
  "advisory.degrades":
    "A missing, disabled, stale, ambiguous, failed or invalid provider gives an unavailable receipt.",
  "advisory.max-results": "max_results is a positive integer, capped at 8.",
  "advisory.one-off-content":
    "A one-off recall may return content, in a local_private_transient packet to this agent only.",
  "advisory.profile-gates":
    "The profile gates goal, agent, provider, namespace, bounds and timeout of a one-off recall.",
  "advisory.query-is-private": "The query reaches the provider; only its summary is projected.",
  "advisory.read-only": "Sync answers read_only_provider; there is no write operation.",
  "advisory.receipt": "The public receipt keeps summary and score, hashes the reference and leaves the content out.",
  "advisory.request-fields": "The request has exactly the fields of the contract.",
  "advisory.response-is-strict": "Missing and unknown fields and invalid bounds are rejected.",
  "advisory.retrieval-only":
    "The protocol is a retrieval contract: no capability of its own, no state authority, no store of transcripts.",
  "advisory.grants-nothing":
    "It grants no permission, workspace access, claim, lease, lifecycle, execution or amendment authority, no write scope.",
  "ownership.decision-context":
    "Decision Context owns activation, request bounds, rebase, fail-open, projection and promotion: an extension brings none.",
  "ownership.extension-lifecycle":
    "The lifecycle owns install, enable, disable, upgrade and readiness, and starts the verified revision alone.",
  "ownership.provider":
    "A provider gets one bounded request and normalises what it reads: no state of LoopX's reaches it.",
  "advisory.scope-is-no-authority": "A scope is neither a goal's identity nor a grant.",
  "advisory.score-is-a-number": "A score that is no number is rejected.",
  "advisory.shorter-deadline": "The process deadline is the shorter of request and extension limit.",
  "advisory.timeout": "The timeout is finite, 1 to 120 seconds, capped again by the extension's binding.",
  "advisory.unavailable-has-no-items":
    "Items on an unavailable answer, or a status and reason that disagree, are rejected.",
  "advisory.untrusted": "Every returned item is untrusted advice: no instruction, no authority.",
  "advisory.declaration": "A provider declares the permission, its runtime protocol and the capability it implements.",
  "advisory.exact-extension": "config.extension_id selects exactly that extension.",
  "advisory.only-candidate": "Without one, exactly one enabled and ready implementation is needed.",
  "advisory.sources-go-on": "Authority sources are collected whatever becomes of the provider.",
  "advisory.scope-is-normalised":
    "Host syntax is normalised before the provider: host-session:codex:<id>, never a link.",
  "advisory.nothing-persisted": "Scope, raw payload and content of a recall are not stored.",
  "advisory.recall-changes-nothing":
    "A recall changes no profile, scans no source, moves no cursor, settles nothing, authorises no execution.",
  "advisory.promotion": "Recalled claims become durable only by todo, evidence, material or amendment.",
} as const;

const RUNTIME_CONTEXT_BUILT = {
  "providers.requirement": "A Context Project declares providers with a lookup and layers bound to them.",
  "providers.no-endpoints-in-project":
    "Endpoints, secrets and databases in a Project are refused: they belong in a Binding.",
  "providers.build-entry": "The Build records the requirement and an unpinned RUNTIME_PROVIDER entry.",
  "providers.never-decide": "A provider supplies data; rules, currentness, Kernel and budget decide what takes part.",
  "providers.invoked-only-when-needed": "Only a bound layer in the profile and scope, with its inputs, causes a call.",
  "providers.input-missing": "A missing input keeps the layer UNKNOWN, PROVIDER_INPUT_NOT_PROVIDED.",
  "providers.out-of-scope": "A layer out of scope is NOT_REQUESTED.",
  "providers.http-wire": "The HTTP call is a POST of the contract's document, with a bearer secret where one is bound.",
  "providers.http-describe": "describe answers version and capabilities, and serves as readiness probe.",
  "providers.not-found": "404 means no record: NOT_FOUND, and the layer is EMPTY.",
  "providers.lookup-value": "The lookup value is the only input from the request, validated, sent in the body.",
  "providers.sqlite": "A read-only SQLite provider answers the same contract.",
  "providers.timeout-bounds": "A provider's timeout lies within 50 and 10,000 ms.",
  "providers.size-bounds": "At most 1 MiB an answer, 100 items, 64 KiB an item.",
  "providers.https": "HTTPS is required except on loopback.",
  "providers.redirects": "Redirects are refused.",
  "providers.reflection": "A credential reflected in headers or body is refused.",
  "providers.secrets": "Content with a secret pattern is refused.",
  "providers.content-is-data": "Content is rendered as reference data under the data notice, never executed.",
  "providers.statuses": "Failures are the explicit statuses of the contract.",
  "providers.failure-unavailable":
    "A failure makes the layer UNAVAILABLE with an unknown; a required layer blocks the turn.",
  "providers.timeout-is-its-own": "A provider's timeout is never RUNTIME_UNAVAILABLE.",
  "fixtures.tests": "Context Tests may give items or a status per provider; they make tests deterministic.",
  "fixtures.synthetic":
    "Fixtures are synthetic test data, never production records: what holds a credential is refused.",
  "fixtures.deterministic": "Tests and regression on fixtures come to the same bytes wherever and whenever they run.",
  "fixtures.missing": "A test without a fixture for a provider is UNKNOWN, warned PROVIDER_FIXTURE_MISSING.",
  "fixtures.preview": "Preview reuses fixtures by lookup value, TEST_FIXTURE.",
  "fixtures.workstation": "The Workstation's local runtime reuses fixtures by lookup value.",
  "fixtures.regression": "Regression reports FIXTURE or LIVE and its determinism.",
  "traces.provenance": "A trace names provider, contract, binding, version, digests, times, locators, retention.",
  "traces.keyed-digests": "Request digests are keyed; the lookup key's name is there, its value never.",
  "traces.locators": "Item locators are made of 16 hex digits, never the record id.",
  "traces.search": "Trace search takes provider= and providerStatus=.",
  "traces.selection-marks": "Selection records mark provider materials with their provider.",
  "reproduction.exact": "A reproduction is exact only with retained provider content whose digest matches.",
  "reproduction.failures": "Provider failures replay exactly.",
  "reproduction.live-dependency": "Otherwise the answer is LIVE_DEPENDENCY_UNAVAILABLE.",
} as const;

/** The id of a requirement that tests may cite. */
export type RequirementId =
  | keyof typeof HOST_COMMANDS_BUILT
  | keyof typeof DECISION_CONTEXT_BUILT
  | keyof typeof RUNTIME_CONTEXT_BUILT;

/** Every requirement of the three seeds. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...listRows(HOST_COMMANDS_BUILT, "003", "built"),
  ...listRows(DECISION_CONTEXT_BUILT, "000", "built"),
  ...listRows(RUNTIME_CONTEXT_BUILT, "004", "built"),
];

function listRows(
  rows: Readonly<Record<string, string>>,
  seed: Seed,
  status: Requirement["status"],
): readonly Requirement[] {
  return Object.entries(rows).map(([id, says]) => ({ id, seed, says, status }));
}
