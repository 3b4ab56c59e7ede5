import type { CommandInput } from "../commands/command-handler.ts";

interface Offered {
  readonly url: string;
  readonly createLink: () => string;
}

/** Prints a link that lets one browser in, and another whenever Enter or SIGHUP asks for it. Gives what ends that. */
export function offerLinks({ facts, note }: CommandInput<"workstation">, { url, createLink }: Offered): () => void {
  const offer = (): void => note(`open once, within 5 minutes: ${createLink()}`);
  note(`LoopX Workstation at ${url}`);
  offer();
  process.on("SIGHUP", offer);
  if (!facts.isStdinTerminal) return () => void process.off("SIGHUP", offer);
  note("Enter prints another link, Ctrl-C ends");
  process.stdin.on("data", offer);
  return () => {
    process.off("SIGHUP", offer);
    process.stdin.off("data", offer);
    process.stdin.destroy();
  };
}
