/** `goalId` → `--goal-id`. */
export function toFlagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `--goal-id` → `goalId`; nothing for a spelling that isn't kebab case, so `--goalId` is no second way to write it. */
export function toFlagKey(name: string): string | undefined {
  if (!/^--[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) return undefined;
  return name.slice(2).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
