/**
 * Whether a request carries `Authorization: Bearer <token>`. Takes as long for a wrong token as for the right one.
 *
 * Throws where the token is empty or, as of a variable that isn't set, undefined: a provider that was to be guarded must not
 * start open.
 */
export function checkBearer(token: string | undefined): (request: Request) => Promise<boolean> {
  if (token === undefined || token === "") throw new TypeError("the bearer token is not set");
  return async (request) => {
    const [, given = ""] = /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    const [left, right] = await Promise.all([digest(given), digest(token)]);
    return left.reduce((difference, byte, index) => difference + Math.abs(byte - (right[index] ?? 0)), 0) === 0;
  };
}

/** Of equal length, and with nothing to learn from how far two of them agree. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
