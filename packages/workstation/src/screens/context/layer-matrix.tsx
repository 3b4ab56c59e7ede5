import type { ReactNode } from "react";
import type { ContextCell, ContextLayerRow, ContextProjectAnswer } from "../../contract/context.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { NameSelect } from "./name-select.tsx";

interface LayerMatrixProps {
  readonly project: ContextProjectAnswer;
  readonly onAsk: (asked: ContextProjectAnswer["asked"]) => void;
}

/** What each profile makes of each layer, for one objective and one consumer. */
export function LayerMatrix({ project, onAsk }: LayerMatrixProps): ReactNode {
  const { asked, objectives, consumers, profiles, layers, cells } = project;
  return (
    <section className="panel" aria-label="Layers">
      <div className="fields">
        <NameSelect
          label="Objective"
          names={objectives}
          value={asked.objective}
          onChange={(objective) => onAsk({ ...asked, objective })}
        />
        <NameSelect
          label="Consumer"
          names={consumers}
          value={asked.consumer}
          onChange={(consumer) => onAsk({ ...asked, consumer })}
        />
      </div>
      <div className="scrolling" tabIndex={0} role="region" aria-label="Profiles and layers">
        <table className="table matrix">
          <thead>
            <tr>
              <th scope="col">Layer</th>
              {profiles.map(({ id, name, budget_bytes }) => (
                <th key={id} scope="col">
                  {name ?? id} <span className="faint">{budget_bytes.toLocaleString("en")} bytes</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {layers.map((layer) => (
              <tr key={layer.id}>
                <th scope="row">
                  <LayerName layer={layer} />
                </th>
                {profiles.map(({ id, name }) => {
                  const cell = cells.find((one) => one.profile === id && one.layer === layer.id);
                  return (
                    <td key={id} data-title={name ?? id}>
                      {cell === undefined ? (
                        <span className="faint">not listed</span>
                      ) : (
                        <Cell cell={cell} layer={layer} />
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function LayerName({ layer }: { readonly layer: ContextLayerRow }): ReactNode {
  const { id, name, sources } = layer;
  return (
    <>
      <strong>{name}</strong> <code className="faint">{id}</code>
      <div className="faint">{sources.map(saySource).join(", ")}</div>
    </>
  );
}

function saySource({ kind, name }: ContextLayerRow["sources"][number]): string {
  return kind === "text" ? "text of the project" : `${kind} ${name ?? ""}`;
}

const APPLIES: Readonly<Record<ContextCell["applies"], readonly [Tone, string]>> = {
  IN_SCOPE: ["good", "in scope"],
  NEEDS_INPUT: ["info", "in scope"],
  EXCLUDED: ["neutral", "excluded"],
  OBJECTIVE_OUT_OF_SCOPE: ["neutral", "not for this objective"],
  CONSUMER_OUT_OF_SCOPE: ["neutral", "not for this consumer"],
};

function Cell({ cell, layer }: { readonly cell: ContextCell; readonly layer: ContextLayerRow }): ReactNode {
  const [tone, says] = APPLIES[cell.applies];
  const isUsed = cell.applies === "IN_SCOPE" || cell.applies === "NEEDS_INPUT";
  return (
    <div className={isUsed ? undefined : "faint"}>
      <Badge tone={tone}>{says}</Badge> {isUsed ? cell.rule : null}
      {isUsed ? (
        <div className="faint">
          priority {cell.priority}
          {cell.applies === "NEEDS_INPUT" ? `, by ${layer.needs.join(", ")}` : ""}
          {cell.accept.length > 1 ? `, takes ${cell.accept.join(", ")}` : ""}
        </div>
      ) : null}
    </div>
  );
}
