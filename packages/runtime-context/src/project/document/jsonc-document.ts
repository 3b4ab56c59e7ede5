import { createScanner, SyntaxKind } from "jsonc-parser";
import { parseJsonDocument } from "./json-document.ts";
import type { ParsedDocument } from "./located-document.ts";

/** JSON with comments and trailing commas. */
export async function parseJsoncDocument(text: string): Promise<ParsedDocument> {
  return parseJsonDocument(toPlainJson(text));
}

/** Comments and trailing commas become spaces, so that every offset and line stays what it was and JSON's rules hold. */
export function toPlainJson(text: string): string {
  const scanner = createScanner(text, false);
  const pieces: string[] = [];
  let commaAt = -1;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EOF; kind = scanner.scan()) {
    const isComment = kind === SyntaxKind.LineCommentTrivia || kind === SyntaxKind.BlockCommentTrivia;
    const isClosing = kind === SyntaxKind.CloseBraceToken || kind === SyntaxKind.CloseBracketToken;
    if (isClosing && commaAt !== -1) pieces[commaAt] = " ";
    if (kind === SyntaxKind.CommaToken) commaAt = isAfterValue(pieces) ? pieces.length : -1;
    else if (!isComment && !isTrivia(kind)) commaAt = -1;
    pieces.push(
      isComment ? blank(scanner.getTokenValue()) : text.substr(scanner.getTokenOffset(), scanner.getTokenLength()),
    );
  }
  return pieces.join("");
}

/** `[,]` and `{,}` have no value before the comma: they are faults and stay. */
function isAfterValue(pieces: readonly string[]): boolean {
  const last = pieces.findLast((piece) => piece.trim() !== "");
  return last !== undefined && !["[", "{", ",", ":"].includes(last);
}

function isTrivia(kind: SyntaxKind): boolean {
  return kind === SyntaxKind.Trivia || kind === SyntaxKind.LineBreakTrivia;
}

function blank(comment: string): string {
  return comment.replaceAll(/[^\r\n]/g, " ");
}
