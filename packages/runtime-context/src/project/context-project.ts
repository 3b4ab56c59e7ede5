import type { Expectation } from "./expectation.ts";

export const PROJECT_CONTRACT = "context-project.v1";

/** How current a fact says it is (seed 004). */
export type Currentness = "CURRENT" | "STALE" | "UNKNOWN";

/** A declared objective or consumer. */
export interface NamedScope {
  readonly id: string;
  readonly name: string | null;
}

/** What one kind of turn may hold. */
export interface Profile {
  readonly id: string;
  readonly name: string | null;
  readonly layers: readonly LayerRule[];
  /** UTF-8 bytes of rendered material; `tokens` is counted by a named tokenizer and never by default. */
  readonly budget: {
    readonly bytes: number;
    readonly tokens: { readonly encoding: "o200k"; readonly max: number } | null;
  };
}

export interface LayerRule {
  readonly layer: string;
  readonly rule: "required" | "optional" | "excluded";
  /** Lower is selected first; equal priorities keep the profile's order. */
  readonly priority: number;
  /** What the profile takes; `CURRENT` alone unless it says more. */
  readonly accept: readonly Currentness[];
}

/** One named piece of context. A layer without `objectives` or `consumers` is in scope for all. */
export interface Layer {
  readonly id: string;
  readonly name: string;
  readonly bindings: readonly LayerBinding[];
  readonly objectives: readonly string[] | null;
  readonly consumers: readonly string[] | null;
  /** Input keys that must be present before anything of the layer is looked at. */
  readonly requiresInput: readonly string[];
  /** Whether "there is no record" passes as EMPTY or blocks where the layer is required. */
  readonly emptyIs: "empty" | "blocked";
  /** Metadata keys of provider items that are rendered; none unless named. */
  readonly metadata: readonly string[];
}

export type LayerBinding =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "provider"; readonly provider: string };

/** What the project needs of a provider; where it is found belongs in a Deployment Binding. */
export interface ProviderRequirement {
  readonly id: string;
  readonly name: string;
  readonly lookup: { readonly input: string; readonly pattern: string };
  readonly maxItems: number;
}

/** A Context Project, validated and with every default filled in. */
export interface ContextProject {
  readonly contract: typeof PROJECT_CONTRACT;
  readonly id: string;
  readonly version: string;
  readonly objectives: readonly NamedScope[];
  readonly consumers: readonly NamedScope[];
  readonly profiles: readonly Profile[];
  readonly layers: readonly Layer[];
  readonly providers: readonly ProviderRequirement[];
  /** What `context test` runs. None of them is part of a build. */
  readonly tests: readonly ContextTest[];
}

export interface ContextTest {
  readonly id: string;
  readonly name: string | null;
  readonly objective: string;
  readonly consumer: string;
  readonly profile: string | null;
  readonly inputs: Readonly<Record<string, string>>;
  /** Fixture of each provider: items, or the status it answers with. */
  readonly providers: Readonly<Record<string, ProviderFixture>>;
  /** When its turn is carried out. */
  readonly clock: string | null;
  readonly synthetic: boolean | null;
  readonly expect: readonly Expectation[];
}

export type ProviderFixture = { readonly items: readonly unknown[] } | { readonly status: string };
