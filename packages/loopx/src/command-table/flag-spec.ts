import type { AgentId, GoalId, Instant, ThreadId, TodoId, TurnId } from "@loopx/contracts";

/**
 * One flag as data. The key in a `flags` record is the camel-case name (`goalId`); people write it in kebab case
 * (`--goal-id`). Every flag but a boolean takes exactly one value and refuses an empty one unless it says `mayBeEmpty`.
 */
export type FlagSpec =
  | BooleanFlag
  | TextFlag
  | IdFlag
  | PathFlag
  | IntegerFlag
  | ChoiceFlag
  | DurationFlag
  | InstantFlag
  | ArgvFlag;

export type FlagRecord = Readonly<Record<string, FlagSpec>>;

interface FlagBase {
  /** One line for help, without a full stop. */
  readonly describe: string;
}

interface ValueFlagBase extends FlagBase {
  /** The value's name in help, upper case: `GOAL`. */
  readonly placeholder: string;
  readonly required?: true;
  readonly repeatable?: true;
}

export interface BooleanFlag extends FlagBase {
  readonly type: "boolean";
  /** The line is refused without it: it says that the caller knows what the command is. */
  readonly required?: true;
}

export interface TextFlag extends ValueFlagBase {
  readonly type: "text";
  readonly mayBeEmpty?: true;
  /** Values that completion offers; others are taken too. */
  readonly completes?: readonly string[];
}

/** An id by the rules of `contracts`: never empty, a placeholder or malformed. */
export interface IdFlag extends ValueFlagBase {
  readonly type: "id";
  /** What kind of thing it names, for completion. */
  readonly names: IdKind;
  /** Of a todo: which ones completion offers, all when left out. */
  readonly offers?: TodoState;
}

/** `claimable`: open and an agent's; `work`: live and no gate. */
export type TodoState = "claimable" | "work" | "live" | "finished";

interface IdByKind {
  readonly goal: GoalId;
  readonly agent: AgentId;
  readonly todo: TodoId;
  readonly gate: TodoId;
  readonly turn: TurnId;
  readonly thread: ThreadId;
  readonly token: string;
}

export type IdKind = keyof IdByKind;

export interface PathFlag extends ValueFlagBase {
  readonly type: "path";
}

export interface IntegerFlag extends ValueFlagBase {
  readonly type: "integer";
  readonly min: number;
  readonly max?: number;
  /** Takes the word `none` too, for a limit that can be lifted. */
  readonly orNone?: true;
  readonly default?: number;
}

export interface ChoiceFlag extends ValueFlagBase {
  readonly type: "choice";
  readonly choices: readonly string[];
  readonly default?: string;
}

/** Written `30s`, `15m`, `2h`, `1d` or `1h30m`; handlers get milliseconds. */
export interface DurationFlag extends ValueFlagBase {
  readonly type: "duration";
  readonly minMs?: number;
  readonly maxMs?: number;
}

/** Written as an RFC 3339 date and time with its offset; handlers get it in UTC. */
export interface InstantFlag extends ValueFlagBase {
  readonly type: "instant";
}

/** Written as a JSON array of words; run directly, never by a shell. */
export interface ArgvFlag extends ValueFlagBase {
  readonly type: "argv";
}

type ValueOf<Spec> = Spec extends { type: "boolean" }
  ? boolean
  : Spec extends { type: "choice"; choices: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { type: "integer"; orNone: true }
      ? number | "none"
      : Spec extends { type: "integer" | "duration" }
        ? number
        : Spec extends { type: "instant" }
          ? Instant
          : Spec extends { type: "argv" }
            ? readonly string[]
            : Spec extends { type: "id"; names: infer Kind extends IdKind }
              ? IdByKind[Kind]
              : string;

type FlagValue<Spec> = Spec extends { repeatable: true } ? readonly ValueOf<Spec>[] : ValueOf<Spec>;

type IsAlwaysThere<Spec> = Spec extends { type: "boolean" } | { required: true } | { repeatable: true }
  ? true
  : Spec extends { default: string | number }
    ? true
    : false;

type AlwaysThere<Flags> = { [Key in keyof Flags]: IsAlwaysThere<Flags[Key]> extends true ? Key : never }[keyof Flags];

/**
 * The typed flags a handler gets. Booleans and repeatable flags are always there (`false`, `[]`); an optional flag that
 * wasn't given is absent.
 */
export type FlagValues<Flags> = {
  readonly [Key in AlwaysThere<Flags>]: FlagValue<Flags[Key]>;
} & { readonly [Key in Exclude<keyof Flags, AlwaysThere<Flags>>]?: FlagValue<Flags[Key]> };

/** A stand-in a packet prints where only the reader knows the value: `<todo-id>`. */
export type Placeholder = `<${string}>`;

/** Ids may come from a packet: the printed line is parsed again when it runs. */
type FlagInput<Spec> = Spec extends { type: "boolean"; required: true }
  ? true
  : Spec extends { type: "boolean" }
    ? boolean
    : Spec extends { type: "id"; repeatable: true }
      ? readonly string[] | Placeholder
      : Spec extends { type: "id" }
        ? string
        : FlagValue<Spec> | Placeholder;

type RequiredKey<Flags> = { [Key in keyof Flags]: Flags[Key] extends { required: true } ? Key : never }[keyof Flags];

/** The flags a printed command is built from: what is required must be there, as a value or as a placeholder. */
export type FlagInputs<Flags> = {
  readonly [Key in RequiredKey<Flags>]: FlagInput<Flags[Key]>;
} & { readonly [Key in Exclude<keyof Flags, RequiredKey<Flags>>]?: FlagInput<Flags[Key]> | undefined };
