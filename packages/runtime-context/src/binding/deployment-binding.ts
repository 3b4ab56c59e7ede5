export const BINDING_CONTRACT = "context-binding.v1";

/**
 * What is kept of a provider's answers: nothing, keyed digests in the trace, or with them the content, encrypted, for
 * reproduction.
 */
export const RETENTIONS = ["none", "digest", "content"] as const;

export type Retention = (typeof RETENTIONS)[number];

/** What a provider's entry says of keeping. */
export interface RetentionRule {
  readonly retention: Retention;
  /** How long content is kept; left out where none is. */
  readonly retainSeconds?: number;
  /** How many bytes of content are kept, as stored: beyond it the oldest go. Left out where none is kept. */
  readonly retainBytes?: number;
}

/** A secret by reference; the value is read when it is used and never stored. */
export type SecretReference =
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "file"; readonly path: string };

export interface HttpProviderBinding extends RetentionRule {
  readonly type: "http";
  /** Normalised by the WHATWG URL parser; HTTPS, or HTTP to loopback. */
  readonly url: string;
  readonly secret: SecretReference | null;
  /** One deadline over DNS to parse. 50 to 10,000. */
  readonly timeoutMs: number;
  /** Of the answer's body, at most 1 MiB. */
  readonly maxBytes: number;
  /** At most 100. */
  readonly maxItems: number;
  /** Of one item's content, at most 64 KiB. */
  readonly itemBytes: number;
  /** Address ranges beyond public ones that may be contacted, as CIDR. Loopback, link-local and metadata never by this. */
  readonly allowAddresses: readonly string[];
  /** Cap on the age that `updatedAt` shows before a CURRENT fact counts as STALE. */
  readonly maxAgeSeconds: number | null;
  /** Recorded where neither an answer nor `describe` says one (seed 004: version source `binding`). */
  readonly version?: string;
}

export interface SqliteProviderBinding extends RetentionRule {
  readonly type: "sqlite";
  /** Absolute path of the database, resolved against the binding's folder. */
  readonly database: string;
  readonly table: string;
  /** Column of each part of an item; `id` and `content` at least. */
  readonly columns: {
    readonly id: string;
    readonly content: string;
    readonly title: string | null;
    readonly updatedAt: string | null;
  };
  /** TEXT column that must equal the lookup value. */
  readonly key: string;
  readonly timeoutMs: number;
  readonly maxItems: number;
  readonly itemBytes: number;
  readonly maxAgeSeconds: number | null;
  /** Recorded where neither an answer nor `describe` says one (seed 004: version source `binding`). */
  readonly version?: string;
}

export type ProviderBinding = HttpProviderBinding | SqliteProviderBinding;

/** Where a build's providers are found in one deployment. Kept outside the project. */
export interface DeploymentBinding {
  readonly contract: typeof BINDING_CONTRACT;
  readonly id: string;
  readonly revision: string;
  readonly providers: Readonly<Record<string, ProviderBinding>>;
  readonly keyset: SecretReference;
  readonly audit: "required" | "best_effort";
  /** `sha256:` over the binding's canonical JSON: references, never a secret's value. */
  readonly digest: string;
}

/** The entry of a provider, or undefined where the binding has none, or there is no binding. */
export function findProviderBinding(provider: string, binding: DeploymentBinding | null): ProviderBinding | undefined {
  return binding !== null && Object.hasOwn(binding.providers, provider) ? binding.providers[provider] : undefined;
}
