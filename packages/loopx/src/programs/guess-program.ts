/** A program with a few commands in one small file. */
export type SmallProgram = "about" | "should-run" | "every-turn" | "hook" | "recall";

const PROGRAMS: ReadonlyMap<string, SmallProgram> = new Map([
  ["--help", "about"],
  ["-h", "about"],
  ["help", "about"],
  ["--version", "about"],
  ["version", "about"],
  ["hook", "hook"],
  ["quota should-run", "should-run"],
  ["quota spend", "every-turn"],
  ["refresh-state", "every-turn"],
  ["todo add", "every-turn"],
  ["todo claim", "every-turn"],
  ["todo complete", "every-turn"],
  ["decision-context recall-context", "recall"],
]);

/**
 * The small program that a command line looks made for. A guess, made before the parser is loaded: a wrong one costs the
 * time to load a second program, and `undefined` that to load the whole.
 *
 * A turn that carries context needs the whole: the small program fetches nothing.
 */
export function guessProgram(argv: readonly string[]): SmallProgram | undefined {
  if (argv.some((word) => word.startsWith("--context-profile"))) return undefined;
  for (const [at, word] of argv.entries()) {
    const program = PROGRAMS.get(word) ?? PROGRAMS.get(`${word} ${argv[at + 1]}`);
    if (program !== undefined) return program;
  }
  return undefined;
}
