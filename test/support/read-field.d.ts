/** The value at a path inside a parsed document; undefined where the path leads nowhere. */
export declare function readField(document: unknown, ...path: readonly (string | number)[]): unknown;
/** The text at a path inside a parsed document; throws, showing the document, when there is none. */
export declare function readText(document: unknown, ...path: readonly (string | number)[]): string;
