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

export const REQUIRED_STORE = { ...STORE, required: true } as const;

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
