/** Commands of every surface begin like this; what else does is told apart by the parser. */
const BEGINNING = /^[/$]loop(?:x(?:$|[-\s])|-global-)/;

/** Whether a hook's payload may hold a command of ours. Anything but JSON with a prompt doesn't. */
export function mayBeCommand(payload: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(payload.toString("utf8").replace(/^\uFEFF/, ""));
    const isObject = typeof value === "object" && value !== null;
    return isObject && "prompt" in value && typeof value.prompt === "string" && BEGINNING.test(value.prompt);
  } catch {
    return false;
  }
}
