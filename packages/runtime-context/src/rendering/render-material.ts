import {
  drawNonce,
  escapeMarkers,
  neutraliseText,
  renderClosingMarker,
  renderDataNotice,
  renderOpeningMarker,
  type Fence,
  type NeutralisedText,
} from "@loopx/contracts";
import type { Currentness } from "../project/context-project.ts";
import type { ProviderItem } from "../providers/provider-outcome.ts";
import { hasLongContent, hasPlainContent } from "./item-content.ts";

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

/** A stretch of the text. */
export interface RenderedPart {
  readonly text: string;
  /** The record whose content it is, whole and unchanged; null of every other. */
  readonly item: ProviderItem | null;
}

/** A layer as it will stand in the text, if it is selected. */
export interface RenderedLayer {
  readonly layer: string;
  /** Ends with a line feed. */
  readonly text: string;
  /** The same, with long contents apart. */
  readonly parts: readonly RenderedPart[];
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
  const nonce = isFenced ? drawNonce(fence, prepared.flatMap(listTexts)) : "";
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

function listTexts({ pieces }: PreparedLayer): readonly string[] {
  return pieces.flatMap(({ head, content }) => [head, content]);
}

/** Head, content and a line feed where it has none at its end: apart, since a long text put together is a copy. */
interface PreparedPiece {
  readonly material: Material;
  /** Whole lines. */
  readonly head: string;
  readonly content: string;
  /** The record whose long content it is, unchanged. */
  readonly longItem: ProviderItem | null;
  readonly bytes: number;
  readonly sanitizedCount: number;
}

function renderLayer({ layer, pieces }: PreparedLayer, nonce: string): RenderedLayer {
  const heading = `# ${toHeading(layer.name)} (${layer.layer})\n`;
  const parts: RenderedPart[] = [];
  let open = heading;
  const pieceBytes = pieces.map((piece) => {
    const { opening, closing } = renderMarkers(piece, layer.layer, nonce);
    const ending = piece.content.endsWith("\n") ? closing : `\n${closing}`;
    if (piece.longItem === null) {
      open += opening + piece.head + piece.content + ending;
    } else {
      parts.push({ text: open + opening + piece.head, item: null }, { text: piece.content, item: piece.longItem });
      open = ending;
    }
    return Buffer.byteLength(opening) + piece.bytes + Buffer.byteLength(closing);
  });
  parts.push({ text: open, item: null });
  return {
    layer: layer.layer,
    text: parts.reduce((whole, { text }) => whole + text, ""),
    parts,
    bytes: pieceBytes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(heading)),
    pieceBytes,
    sanitizedCount: pieces.reduce((sum, { sanitizedCount }) => sum + sanitizedCount, 0),
    hasProviderMaterial: pieces.some(isProviderPiece),
  };
}

/** The lines around a record; the project's own text has none. */
function renderMarkers(
  { material }: PreparedPiece,
  layer: string,
  nonce: string,
): { readonly opening: string; readonly closing: string } {
  if (material.kind === "static") return { opening: "", closing: "" };
  const marker = renderOpeningMarker(nonce, [
    ["layer", layer],
    ["provider", material.provider],
    ["item", String(material.index + 1)],
    ["currentness", material.currentness],
    ["observed", material.observedAt],
  ]);
  return { opening: `${marker}\n`, closing: `${renderClosingMarker(nonce)}\n` };
}

function preparePiece(material: Material, layer: LayerMaterial): PreparedPiece {
  if (material.kind === "static") {
    const text = material.index === 0 ? withoutHeading(material.text, layer.name) : material.text;
    return toPrepared(material, "", { text, count: 0 });
  }
  const { item } = material;
  const facts: [string, string | number | boolean | null][] = [];
  if (item.title !== null) facts.push(["title", item.title]);
  if (item.updatedAt !== null) facts.push(["updated", item.updatedAt]);
  for (const key of layer.metadata) {
    const value = Object.hasOwn(item.metadata, key) ? item.metadata[key] : undefined;
    if (value !== undefined) facts.push([key, value]);
  }
  let headCount = 0;
  // Quoted, so a line feed in a title can't look like another line of ours.
  const lines = facts.map(([name, value]) => {
    const shown = typeof value === "string" ? neutraliseText(value) : { text: value, count: 0 };
    headCount += shown.count;
    return `${toHeading(name)}: ${JSON.stringify(shown.text)}\n`;
  });
  const head = lines.length === 0 ? "" : `${lines.join("")}\n`;
  const isDone = hasLongContent(item) && hasPlainContent(item);
  const { text, count } = isDone ? { text: item.content, count: 0 } : neutraliseText(item.content);
  return toPrepared(material, head, { text, count: headCount + count });
}

/** A file that begins with its layer's name as a heading: the layer has one already. */
function withoutHeading(text: string, name: string): string {
  const [line = ""] = text.split("\n", 1);
  return text.length > line.length && line.trimEnd() === `# ${name}` ? text.slice(line.length + 1) : text;
}

/** No marker holds a line feed, so none can begin in the head and end in the content. */
function toPrepared(material: Material, rawHead: string, { text, count }: NeutralisedText): PreparedPiece {
  const head = escapeMarkers(rawHead);
  const content = escapeMarkers(text);
  const longItem = findLongItem(material, content);
  // Counting the bytes of 64 KiB is worth leaving out where each character is one.
  const contentBytes = longItem !== null && hasPlainContent(longItem) ? content.length : Buffer.byteLength(content);
  const bytes = Buffer.byteLength(head) + contentBytes + (content.endsWith("\n") ? 0 : 1);
  return { material, head, content, longItem, bytes, sanitizedCount: count };
}

/** The record with this long content, if it stands there unchanged. */
function findLongItem(material: Material, content: string): ProviderItem | null {
  const item = material.kind === "provider" && hasLongContent(material.item) ? material.item : null;
  return item !== null && item.content === content ? item : null;
}

/** A name of the project in one line that can't hide or begin anything. */
export function toHeading(name: string): string {
  return escapeMarkers(neutraliseText(name).text.replace(/\s+/g, " ").trim());
}
