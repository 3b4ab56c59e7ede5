import { toCanonicalJson } from "@loopx/contracts";
import type { ProviderItem } from "../providers/provider-outcome.ts";
import { hasLongContent, quoteContent } from "../rendering/item-content.ts";

/** The items of one answer as one canonical JSON text, in parts: what a material digest covers, and what is kept of them. */
export function listMaterialParts(items: readonly ProviderItem[]): readonly string[] {
  return joinItemParts(items.map(listItemParts));
}

/** The same from the parts of each item. */
export function joinItemParts(items: readonly (readonly string[])[]): readonly string[] {
  return ["[", ...items.flatMap((parts, index) => (index === 0 ? parts : [",", ...parts])), "]"];
}

/** One item, whatever else a provider's client may have put beside what is named here. A long content is a part of its own. */
export function listItemParts(item: ProviderItem): readonly string[] {
  const { id, title, content, metadata, updatedAt } = item;
  const rest = { id, metadata: { ...metadata }, title, updatedAt };
  if (!hasLongContent(item)) return [toCanonicalJson({ content, ...rest })];
  return ['{"content":', quoteContent(item), `,${toCanonicalJson(rest).slice(1)}`];
}

/** The items in a material text whose digest was checked: they were validated before the text was made. */
export function parseMaterialText(text: string): readonly ProviderItem[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said
  return JSON.parse(text) as readonly ProviderItem[];
}
