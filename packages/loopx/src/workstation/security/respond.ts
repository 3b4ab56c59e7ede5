/**
 * What every answer says. The page is made of files of this server and reaches nothing else; no page of another site frames
 * it, and no text becomes script: there are no trusted types at all.
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

interface ResponseParts {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Every answer of the server is made here, so each carries the headers; nothing of it is kept unless its headers say so. */
export function respond(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { status = 200, headers }: ResponseParts,
): Response {
  return new Response(body, { status, headers: { ...SECURITY_HEADERS, "cache-control": "no-store", ...headers } });
}
