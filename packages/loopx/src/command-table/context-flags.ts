// Flags that several commands of runtime context take.

export const BUILD_FOLDER = {
  type: "path",
  placeholder: "DIR",
  describe: "folder that context build wrote, such as its link builds/current",
} as const;

export const BUILD = { ...BUILD_FOLDER, required: true } as const;

export const BINDING = {
  type: "path",
  placeholder: "FILE|NAME",
  describe: "Deployment Binding: a file, or the name of one in the LoopX home",
} as const;

export const REQUIRED_BINDING = { ...BINDING, required: true } as const;

export const STORE = {
  type: "path",
  placeholder: "DIR",
  describe: "folder of the trace store",
} as const;

/** Where traces may be on a server too. */
const ANY_STORE = {
  type: "path",
  placeholder: "DIR|URL",
  describe: "trace store: a folder, or the URL of a PostgreSQL server",
} as const;

const STORE_PASSWORD = {
  type: "text",
  placeholder: "REF",
  describe: "where that server's password is: env:NAME or file:PATH",
} as const;

/** The two flags that name a trace store. */
export const TRACE_STORE = {
  store: { ...ANY_STORE, describe: `${ANY_STORE.describe}; without it no trace is kept` },
  storePassword: STORE_PASSWORD,
} as const;

/** The same for commands to which the store only adds a count. */
export const COUNTED_STORE = {
  store: { ...ANY_STORE, describe: "trace store, to count what each key is needed for" },
  storePassword: STORE_PASSWORD,
} as const;

export const REQUIRED_TRACE_STORE = {
  store: { ...ANY_STORE, required: true },
  storePassword: STORE_PASSWORD,
} as const;

export const OBJECTIVE = { type: "text", placeholder: "ID", describe: "objective that the turn serves" } as const;
export const CONSUMER = { type: "text", placeholder: "ID", describe: "who reads the context" } as const;

export const PROFILE = {
  type: "text",
  placeholder: "ID",
  describe: "profile; may be left out where the build has one",
} as const;

export const INPUT = {
  type: "text",
  placeholder: "KEY=VALUE",
  describe: "input of the request",
  repeatable: true,
} as const;

export const FILTER = {
  type: "text",
  placeholder: "TEXT",
  describe: "only tests whose id or name contains it",
  repeatable: true,
} as const;
