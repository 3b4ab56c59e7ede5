import type { CommandInput } from "../commands/command-handler.ts";

interface Offered {
  readonly url: string;
  readonly createLink: () => string;
}

/** Prints a link that lets one browser in, and another whenever Enter or SIGHUP asks for it. Gives what ends that. */
export function offerLinks({ facts, note }: CommandInput<"workstation">, { url, createLink }: Offered): () => void {
  const offer = (): void => note(`open once, within 5 minutes: ${createLink()}`);
  // Before the lines that tell somebody it may be sent.
  process.on("SIGHUP", offer);
  note(`LoopX Workstation at ${url}`);
  offer();
  if (!facts.isStdinTerminal) return () => void process.off("SIGHUP", offer);
  process.stdin.on("data", offer);
  note("Enter prints another link, Ctrl-C ends");
  return () => {
    process.off("SIGHUP", offer);
    process.stdin.off("data", offer);
    process.stdin.destroy();
  };
}
