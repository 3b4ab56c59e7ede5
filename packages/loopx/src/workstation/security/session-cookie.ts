/** One a port: browsers send the cookies of a host to each of its ports, and several servers may run. */
export function toCookieName(port: number): string {
  return `loopx_workstation_${port}`;
}

/** No page of another site makes the browser send it, and no script reads it. It goes when the browser does. */
export function renderSessionCookie(port: number, secret: string): string {
  return `${toCookieName(port)}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
}

/**
 * The secrets in a `Cookie` header. A server on another port of this host may set a cookie of any name, and browsers say of none
 * who did: one that stands first must not keep the browser out.
 */
export function listSessionSecrets(port: number, header: string): readonly string[] {
  const prefix = `${toCookieName(port)}=`;
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
}
