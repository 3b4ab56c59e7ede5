/** The contract that this kit speaks. */
export const CONTEXT_CONTRACT = "context-provider.v1";

/** What LoopX asks for: the one value of a request that a provider ever sees. */
export interface ContextLookup {
  /** The provider's id in the project. */
  readonly provider: string;
  /** Name of the request's input. */
  readonly key: string;
  readonly value: string;
  /** Items at most, 1 to 100. */
  readonly limit: number;
}

export type ContextRequest = { readonly capability: "describe" } | ({ readonly capability: "lookup" } & ContextLookup);

/** A request that isn't one of the contract, in words that repeat no value. */
export interface RequestFault {
  readonly fault: string;
}

const DESCRIBE_FIELDS = ["contract", "capability"];
const LOOKUP_FIELDS = [...DESCRIBE_FIELDS, "provider", "key", "value", "limit"];
const VALUE = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$/;
const PROVIDER = /^[a-z][a-z0-9-]{0,62}$/;
const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** The request in the text of a body, held to the contract: closed, so that a later version is not half understood. */
export function parseContextRequest(text: string): ContextRequest | RequestFault {
  const body = parseObject(text);
  if (body === undefined) return { fault: "the body is no JSON object" };
  if (body["contract"] !== CONTEXT_CONTRACT) return { fault: `contract is not ${CONTEXT_CONTRACT}` };
  switch (body["capability"]) {
    case "describe":
      return isClosed(body, DESCRIBE_FIELDS) ? { capability: "describe" } : { fault: "describe takes no other field" };
    case "lookup":
      return parseLookup(body);
    default:
      return { fault: "capability is neither describe nor lookup" };
  }
}

function parseLookup(body: Fields): ContextRequest | RequestFault {
  if (!isClosed(body, LOOKUP_FIELDS))
    return { fault: "lookup takes provider, key, value and limit, and no other field" };
  const { provider, key, value, limit } = body;
  if (!isMatch(provider, PROVIDER)) return { fault: "provider is no id" };
  if (!isMatch(key, KEY)) return { fault: "key is no name of an input" };
  if (!isMatch(value, VALUE)) return { fault: "value is no lookup value" };
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > 100) return { fault: "limit is not 1 to 100" };
  return { capability: "lookup", provider, key, value, limit: Number(limit) };
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isClosed(body: Fields, fields: readonly string[]): boolean {
  return Object.keys(body).every((field) => fields.includes(field) || field.startsWith("x-"));
}

function isMatch(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}
