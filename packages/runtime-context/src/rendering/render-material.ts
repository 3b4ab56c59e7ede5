import type { Currentness } from "../project/context-project.ts";
import type { ProviderItem } from "../providers/provider-outcome.ts";
import {
  drawNonce,
  escapeMarkers,
  renderClosingMarker,
  renderDataNotice,
  renderOpeningMarker,
  type Fence,
} from "./fence.ts";
import { neutraliseText } from "./neutralise-text.ts";

/** One piece of a layer: the project's own text, or a record that a provider answered. */
export type Material =
  | { readonly kind: "static"; readonly text: string; readonly index: number }
  | {
      readonly kind: "provider";
      readonly provider: string;
      readonly item: ProviderItem;
      readonly index: number;
      readonly currentness: Currentness;
      readonly observedAt: string;
    };

export interface LayerMaterial {
  readonly layer: string;
  readonly name: string;
  /** Metadata keys that are rendered, in this order. */
  readonly metadata: readonly string[];
  readonly pieces: readonly Material[];
}

/** A layer as it will stand in the text, if it is selected. */
export interface RenderedLayer {
  readonly layer: string;
  /** Ends with a line feed. */
  readonly text: string;
  readonly bytes: number;
  /** UTF-8 bytes of each piece, in order. */
  readonly pieceBytes: readonly number[];
  readonly sanitizedCount: number;
  /** Whether the data notice must stand before it. */
  readonly hasProviderMaterial: boolean;
}

export interface RenderedMaterial {
  readonly notice: string;
  readonly layers: readonly RenderedLayer[];
}

/**
 * Each layer as text: the project's own text as it is, provider records as reference data in fenced blocks.
 *
 * Provider text is neutralised, and nothing in any text can be read as a marker. One nonce serves all blocks of a turn.
 */
export function renderMaterial(layers: readonly LayerMaterial[], fence: Fence): RenderedMaterial {
  const prepared = layers.map(prepareLayer);
  const isFenced = prepared.some(({ pieces }) => pieces.some(isProviderPiece));
  // Only blocks need a nonce.
  const nonce = isFenced ? drawNonce(fence, prepared.flatMap(listBodies)) : "";
  return {
    notice: isFenced ? renderDataNotice(nonce) : "",
    layers: prepared.map((layer) => layer.own ?? renderLayer(layer, nonce)),
  };
}

interface PreparedLayer {
  readonly layer: LayerMaterial;
  readonly pieces: readonly PreparedPiece[];
  /** As it stands in every text, where no piece is a provider's. */
  readonly own: RenderedLayer | null;
}

// The project's own material is made once for a build, so what is rendered of it goes with it.
const preparedOwn = new WeakMap<LayerMaterial, PreparedLayer>();

function prepareLayer(layer: LayerMaterial): PreparedLayer {
  const known = preparedOwn.get(layer);
  if (known !== undefined) return known;
  const prepared = { layer, pieces: layer.pieces.map((piece) => preparePiece(piece, layer)), own: null };
  if (prepared.pieces.some(isProviderPiece)) return prepared;
  const own = { ...prepared, own: renderLayer(prepared, "") };
  preparedOwn.set(layer, own);
  return own;
}

function isProviderPiece({ material }: PreparedPiece): boolean {
  return material.kind === "provider";
}

function listBodies({ pieces }: PreparedLayer): readonly string[] {
  return pieces.map(({ body }) => body);
}

interface PreparedPiece {
  readonly material: Material;
  readonly body: string;
  readonly sanitizedCount: number;
}

function renderLayer({ layer, pieces }: PreparedLayer, nonce: string): RenderedLayer {
  const texts = pieces.map((piece) => renderPiece(piece, layer.layer, nonce));
  const text = `# ${toHeading(layer.name)} (${layer.layer})\n${texts.join("")}`;
  return {
    layer: layer.layer,
    text,
    bytes: Buffer.byteLength(text),
    pieceBytes: texts.map((piece) => Buffer.byteLength(piece)),
    sanitizedCount: pieces.reduce((sum, { sanitizedCount }) => sum + sanitizedCount, 0),
    hasProviderMaterial: pieces.some(isProviderPiece),
  };
}

function renderPiece({ material, body }: PreparedPiece, layer: string, nonce: string): string {
  if (material.kind === "static") return body;
  const opening = renderOpeningMarker(nonce, [
    ["layer", layer],
    ["provider", material.provider],
    ["item", String(material.index + 1)],
    ["currentness", material.currentness],
    ["observed", material.observedAt],
  ]);
  return `${opening}\n${body}${renderClosingMarker(nonce)}\n`;
}

function preparePiece(material: Material, layer: LayerMaterial): PreparedPiece {
  if (material.kind === "static") {
    return { material, body: escapeMarkers(endWithLineFeed(material.text)), sanitizedCount: 0 };
  }
  const { item } = material;
  let sanitizedCount = 0;
  const neutralise = (text: string): string => {
    const neutralised = neutraliseText(text);
    sanitizedCount += neutralised.count;
    return neutralised.text;
  };
  const facts: [string, string | number | boolean | null][] = [];
  if (item.title !== null) facts.push(["title", item.title]);
  if (item.updatedAt !== null) facts.push(["updated", item.updatedAt]);
  for (const key of layer.metadata) {
    const value = Object.hasOwn(item.metadata, key) ? item.metadata[key] : undefined;
    if (value !== undefined) facts.push([key, value]);
  }
  // Quoted, so a line feed in a title can't look like another line of ours.
  const lines = facts.map(
    ([name, value]) => `${toHeading(name)}: ${JSON.stringify(typeof value === "string" ? neutralise(value) : value)}\n`,
  );
  const head = lines.length === 0 ? "" : `${lines.join("")}\n`;
  const body = escapeMarkers(head + endWithLineFeed(neutralise(item.content)));
  return { material, body, sanitizedCount };
}

/** A name of the project in one line that can't hide or begin anything. */
export function toHeading(name: string): string {
  return escapeMarkers(neutraliseText(name).text.replace(/\s+/g, " ").trim());
}

function endWithLineFeed(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
