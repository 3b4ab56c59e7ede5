import { hostWordsOf } from "../activation/host-words.ts";
import { alignRows } from "../text-rows.ts";
import { SURFACES, type HostSurface } from "../surfaces/surface.ts";
import { AGENT_TYPE_ALIASES, AMBIGUOUS_AGENT_TYPES } from "./parse-agent-type.ts";

/** What `agent-onboard --list-agent-types` answers: every type once, and which names are none. */
export interface AgentTypeCatalog {
  readonly ok: true;
  readonly schema_version: "loopx_agent_type_catalog_v0";
  readonly canonical_agent_types: readonly CatalogRow[];
  readonly ambiguous_inputs: readonly { readonly input: string; readonly use_one_of: readonly string[] }[];
  readonly selection_rule: string;
}

interface CatalogRow {
  readonly agent_type: string;
  readonly display_name: string;
  readonly host_surface: HostSurface;
  /** What wakes the agent for its next turn. */
  readonly host_loop: string;
  /** Further names; old ones that are only kept working are left out. */
  readonly accepted_inputs?: readonly string[];
}

/** Accepted for older callers and never offered (seed 003). */
const UNOFFERED = "codex-ide";

export function renderAgentTypeCatalog(): AgentTypeCatalog {
  return {
    ok: true,
    schema_version: "loopx_agent_type_catalog_v0",
    canonical_agent_types: SURFACES.map(({ agentType, description, hostSurface }) => {
      const accepted = AGENT_TYPE_ALIASES[hostSurface].filter((alias) => alias !== UNOFFERED);
      return {
        agent_type: agentType,
        display_name: description,
        host_surface: hostSurface,
        host_loop: hostWordsOf(hostSurface).loop,
        ...(accepted.length > 0 && { accepted_inputs: accepted }),
      };
    }),
    ambiguous_inputs: [...AMBIGUOUS_AGENT_TYPES].map(([input, types]) => ({ input, use_one_of: types })),
    selection_rule: "Give the type of the host you run in, exactly; none is guessed from an ambiguous name.",
  };
}

/** The catalog for people. */
export function renderAgentTypeCatalogText(catalog: AgentTypeCatalog): string {
  const types = catalog.canonical_agent_types;
  const refused = catalog.ambiguous_inputs;
  return [
    "Agent types",
    alignRows(types.map((row) => [row.agent_type, `${row.display_name}; woken by ${row.host_loop}`])),
    "",
    "Too little to go by",
    alignRows(refused.map((row) => [row.input, `one of ${row.use_one_of.join(", ")}`])),
    "",
    "Next: loopx agent-onboard --project=. '--agent-type=<agent type>'",
  ].join("\n");
}
