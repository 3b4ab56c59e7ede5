import { guessProgram, type SmallProgram } from "./programs/guess-program.ts";

/** An answer is false, with nothing done, where the command is none of the program's own. */
const SMALL_PROGRAMS: Readonly<
  Record<SmallProgram, () => Promise<{ readonly run: (argv: readonly string[]) => Promise<boolean> }>>
> = {
  about: () => import("./programs/about.ts"),
  "should-run": () => import("./programs/should-run.ts"),
  "every-turn": () => import("./programs/every-turn.ts"),
  hook: () => import("./programs/hook.ts"),
  recall: () => import("./programs/recall.ts"),
};

void main(process.argv.slice(2)).catch(failToStart);

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

/** The last resort: no program could be loaded, so none of what renders a failure is at hand. */
function failToStart(error: unknown): void {
  const message = `LoopX could not start (${error instanceof Error ? error.name : typeof error})`;
  const hint = "install LoopX again";
  const isJson = /(?:^| )--(?:json|format[= ]json)(?: |$)/.test(process.argv.join(" "));
  const packet = { ok: false, error: { code: "internal", category: "internal", message, hint, retry: false } };
  if (isJson) process.stdout.write(`${JSON.stringify(packet)}\n`);
  else process.stderr.write(`error: ${message}; ${hint}\n`);
  process.exitCode = 70;
}
