import { useState, type ReactNode } from "react";
import type { ContextName, ContextProjectAnswer } from "../../contract/context.ts";
import type { ContextTraceSearch } from "../../contract/context-traces.ts";
import { NameSelect } from "./name-select.tsx";

interface TraceFiltersProps {
  readonly project: ContextProjectAnswer | undefined;
  readonly search: ContextTraceSearch;
  readonly onSearch: (search: ContextTraceSearch) => void;
  readonly onReload: () => void;
}

/** The search of `loopx context traces list`: what is chosen applies at once, what is typed when it is sent. */
export function TraceFilters({ project, search, onSearch, onReload }: TraceFiltersProps): ReactNode {
  const [value, setValue] = useState("");
  const input = project?.providers.find(({ id }) => id === search.provider)?.input;
  const choose = (field: keyof ContextTraceSearch, chosen: string): void => {
    const { [field]: _before, input: asked, ...others } = search;
    // A value was asked of one provider: of another it says nothing.
    const kept = field === "provider" || asked === undefined ? others : { ...others, input: asked };
    onSearch(chosen === "" ? kept : { ...kept, [field]: chosen });
  };
  const select = (label: string, field: keyof ContextTraceSearch, names: readonly ContextName[]): ReactNode => (
    <NameSelect
      label={label}
      names={names}
      value={search[field] ?? ""}
      none="any"
      onChange={(chosen) => choose(field, chosen)}
    />
  );
  return (
    <form
      className="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (input !== undefined) onSearch(withValue(search, value === "" ? "" : `${input}=${value}`));
      }}
    >
      {select("Outcome", "outcome", toNames(OUTCOMES))}
      {select("Provider", "provider", project?.providers ?? [])}
      {select("Provider status", "providerStatus", toNames(STATUSES))}
      {select("Layer", "layer", project?.layers ?? [])}
      {select("Objective", "objective", project?.objectives ?? [])}
      {select("Consumer", "consumer", project?.consumers ?? [])}
      <MomentInput label="Since" onChange={(moment) => choose("since", moment)} />
      <MomentInput label="Until" onChange={(moment) => choose("until", moment)} />
      {input === undefined ? null : (
        <label className="field">
          <span>Asked for {input}</span>
          <input
            value={value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setValue(event.target.value)}
          />
        </label>
      )}
      {input === undefined ? null : <button type="submit">Search</button>}
      <button type="button" onClick={onReload}>
        Refresh
      </button>
    </form>
  );
}

interface MomentInputProps {
  readonly label: string;
  /** Told the moment in UTC, or nothing once it is taken out. */
  readonly onChange: (moment: string) => void;
}

/** A moment in the time of whoever looks. */
function MomentInput({ label, onChange }: MomentInputProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="datetime-local"
        onChange={({ target: { value } }) => onChange(value === "" ? "" : new Date(value).toISOString())}
      />
    </label>
  );
}

function withValue({ input: _before, ...others }: ContextTraceSearch, input: string): ContextTraceSearch {
  return input === "" ? others : { ...others, input };
}

function toNames(words: readonly string[]): readonly ContextName[] {
  return words.map((id) => ({ id, name: null }));
}

const OUTCOMES = ["READY", "DEGRADED", "BLOCKED"];
/** As a lookup may end; a status that this page doesn't know yet is shown and can't be chosen. */
const STATUSES = [
  "OK",
  "NOT_FOUND",
  "TIMEOUT",
  "UNAVAILABLE",
  "LIMIT_EXCEEDED",
  "INVALID_RESPONSE",
  "SECRET_DETECTED",
  "INCOMPATIBLE",
  "NOT_BOUND",
  "INVALID_REQUEST",
  "NOT_EVALUATED",
];
