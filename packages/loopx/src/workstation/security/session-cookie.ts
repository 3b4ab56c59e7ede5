/** One a port: browsers send the cookies of a host to each of its ports, and several servers may run. */
export function toCookieName(port: number): string {
  return `loopx_workstation_${port}`;
}

/** No page of another site makes the browser send it, and no script reads it. It goes when the browser does. */
export function renderSessionCookie(port: number, secret: string): string {
  return `${toCookieName(port)}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
}

/** The secret in a `Cookie` header. */
export function findSessionSecret(port: number, header: string | undefined): string | undefined {
  const prefix = `${toCookieName(port)}=`;
  const pair = header?.split(";").find((each) => each.trimStart().startsWith(prefix));
  return pair?.trim().slice(prefix.length);
}
