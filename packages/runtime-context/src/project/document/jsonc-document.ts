import { createScanner } from "jsonc-parser";
import { parseJsonDocument } from "./json-document.ts";
import type { ParsedDocument } from "./located-document.ts";

/** JSON with comments and trailing commas. */
export async function parseJsoncDocument(text: string): Promise<ParsedDocument> {
  return parseJsonDocument(toPlainJson(text));
}

/** Comments and trailing commas become spaces, so that every offset and line stays what it was and JSON's rules hold. */
export function toPlainJson(text: string): string {
  const pieces: string[] = [];
  // Where a comma stands that may turn out to be a trailing one, and what stood before.
  let commaAt = -1;
  let last = "";
  for (const token of listTokens(text)) {
    if (isComment(token)) {
      pieces.push(token.replaceAll(/[^\r\n]/g, " "));
    } else {
      if ((token === "}" || token === "]") && commaAt !== -1) pieces[commaAt] = " ";
      if (token.trim() !== "") {
        // `[,]` and `{,}` have no value before the comma: they are faults and stay.
        commaAt = token === "," && !["", "[", "{", ",", ":"].includes(last) ? pieces.length : -1;
        last = token;
      }
      pieces.push(token);
    }
  }
  return pieces.join("");
}

/** A block comment without its end stays, and is a fault. */
function isComment(token: string): boolean {
  return token.startsWith("//") || (token.startsWith("/*") && token.length > 3 && token.endsWith("*/"));
}

function* listTokens(text: string): Generator<string> {
  const scanner = createScanner(text, false);
  for (let isOpen = true; isOpen;) {
    scanner.scan();
    const token = text.substr(scanner.getTokenOffset(), scanner.getTokenLength());
    if (token === "") isOpen = false;
    else yield token;
  }
}
