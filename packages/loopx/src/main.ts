import { guessProgram, type SmallProgram } from "./programs/guess-program.ts";

/** An answer is false, with nothing done, where the command is none of the program's own. */
const SMALL_PROGRAMS: Readonly<
  Record<SmallProgram, () => Promise<{ readonly run: (argv: readonly string[]) => Promise<boolean> }>>
> = {
  about: () => import("./programs/about.ts"),
  "every-turn": () => import("./programs/every-turn.ts"),
  hook: () => import("./programs/hook.ts"),
};

void main(process.argv.slice(2));

/**
 * Several programs are built from the same sources: small ones with the commands whose start-up is what they cost, and
 * the whole. Only one of them runs the command.
 */
async function main(argv: readonly string[]): Promise<void> {
  const guess = guessProgram(argv);
  if (guess !== undefined) {
    const program = await SMALL_PROGRAMS[guess]();
    if (await program.run(argv)) return;
  }
  const whole = await import("./programs/whole.ts");
  await whole.run(argv);
}
