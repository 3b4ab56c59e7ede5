/** Who did it, as events record it, in words. */
export function sayActor(actor: string): string {
  const [kind, ...rest] = actor.split(":");
  const name = rest.join(":");
  if (kind === "agent") return `agent ${name}`;
  if (kind === "owner") return `the owner (${OWNERS[name] ?? name})`;
  return name === "" ? "a process" : `a process of ${name}`;
}

const OWNERS: Readonly<Record<string, string>> = {
  workstation: "through the Workstation",
  terminal: "at a terminal",
  token: "with an owner token",
};
