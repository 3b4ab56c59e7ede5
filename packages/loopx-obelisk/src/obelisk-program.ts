const FLAG = "--obelisk-bin";

/** The Obelisk to call: `obelisk` on PATH, or what `--obelisk-bin` says. Throws a `TypeError` for any other word. */
export function readObeliskProgram(args: readonly string[]): string {
  const [word = "", value] = args;
  if (args.length === 0) return "obelisk";
  if (word.startsWith(`${FLAG}=`) && args.length === 1) return word.slice(FLAG.length + 1);
  if (word === FLAG && value !== undefined && args.length === 2) return value;
  throw new TypeError(`the only flag is ${FLAG}=PATH`);
}
