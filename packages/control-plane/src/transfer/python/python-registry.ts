import { parseStrictJson, isLoopxError, refuse, type Refusal } from "@loopx/contracts";

/** A goal as the registry of the public Python implementation lists it. */
export interface PythonGoal {
  readonly id: string;
  readonly status: string | undefined;
  /** Path of its state file, relative to the project. */
  readonly stateFile: string | undefined;
  readonly agents: readonly string[];
  readonly bindings: readonly {
    readonly threadId: string;
    readonly hostSurface: string;
    readonly agentId: string;
  }[];
  readonly quota: {
    /** Turns allowed in a window; null where none are set. */
    readonly slots: number | null;
    readonly windowMs: number | null;
  };
  /** Whether lanes may act on todos of others there: nothing here is like it. */
  readonly hasAuthorityGrants: boolean;
}

export interface PythonRegistry {
  readonly ok: true;
  readonly goals: readonly PythonGoal[];
}

/** Reads a `registry.json` of a project. Refuses with `import_invalid`; a field of an unknown shape counts as missing. */
export function parsePythonRegistry(text: string): PythonRegistry | Refusal {
  const value = readJson(text);
  const goals = value?.["goals"];
  if (value === undefined || typeof value["schema_version"] !== "string" || !Array.isArray(goals)) {
    return refuse("import_invalid", {
      message: "the registry isn't one of the Python implementation; nothing was imported",
      hint: "name the project's folder, the one with .loopx/registry.json: loopx import --from-python-loopx=DIR",
    });
  }
  return { ok: true, goals: goals.map((goal: unknown) => toGoal(toFields(goal))) };
}

type Fields = Readonly<Record<string, unknown>>;

function readJson(text: string): Fields | undefined {
  try {
    return toFields(parseStrictJson(text));
  } catch (error) {
    if (isLoopxError(error)) return undefined;
    throw error;
  }
}

function toGoal(goal: Fields): PythonGoal {
  const coordination = toFields(goal["coordination"]);
  const quota = toFields(goal["quota"]);
  const hours = findCount(quota["window_hours"]);
  return {
    id: findText(goal["id"]) ?? "",
    status: findText(goal["status"]),
    stateFile: findText(goal["state_file"]),
    agents: toList(coordination["registered_agents"]).filter((agent) => typeof agent === "string"),
    bindings: toList(coordination["thread_agent_bindings"]).map((binding) => {
      const fields = toFields(binding);
      return {
        threadId: findText(fields["thread_id"]) ?? "",
        hostSurface: findText(fields["host_surface"]) ?? "",
        agentId: findText(fields["agent_id"]) ?? "",
      };
    }),
    quota: { slots: findCount(quota["allowed_slots"]), windowMs: hours === null ? null : hours * 3_600_000 },
    hasAuthorityGrants: toList(coordination["todo_lifecycle_authority"]).length > 0,
  };
}

function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function findText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A whole number above zero that no clock and no sum here overflows. */
function findCount(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= 100_000 ? value : null;
}
