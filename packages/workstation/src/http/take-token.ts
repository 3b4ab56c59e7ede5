/** The one-time token in the address, which is taken out of it: no copy of the address holds it, nor the history. */
export function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) history.replaceState(null, "", `${location.pathname}${location.search}`);
  return token;
}
