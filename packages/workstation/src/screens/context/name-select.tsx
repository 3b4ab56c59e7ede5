import type { ReactNode } from "react";
import type { ContextName } from "../../contract/context.ts";

interface NameSelectProps {
  readonly label: string;
  readonly names: readonly ContextName[];
  readonly value: string;
  /** The words for choosing none; without them one of the names must be chosen. */
  readonly none?: string;
  readonly onChange: (id: string) => void;
}

/** Chooses one of the names that a project declares. */
export function NameSelect({ label, names, value, none, onChange }: NameSelectProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {names.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? id}
          </option>
        ))}
      </select>
    </label>
  );
}
