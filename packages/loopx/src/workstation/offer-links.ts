import type { CommandInput } from "../commands/command-handler.ts";

interface Offered {
  readonly url: string;
  readonly createLink: () => string;
}

/** Links that are on offer. */
export interface LinkOffer {
  /** Settles when the terminal where they are asked for is gone; never where there is none. */
  readonly untilGone: Promise<void>;
  readonly stop: () => void;
}

/** Prints a link that lets one browser in, and another whenever Enter or SIGHUP asks for it. */
export function offerLinks({ facts, note }: CommandInput<"workstation">, { url, createLink }: Offered): LinkOffer {
  const offer = (): void => note(`open once, within 5 minutes: ${createLink()}`);
  // Before the lines that tell somebody it may be sent.
  process.on("SIGHUP", offer);
  note(`LoopX Workstation at ${url}`);
  offer();
  const stop = (): void => void process.off("SIGHUP", offer);
  if (!facts.isStdinTerminal) return { untilGone: new Promise(() => undefined), stop };
  const { stdin } = process;
  const untilGone = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    // Reading fails where the terminal was taken away.
    stdin.on("error", () => resolve());
  });
  stdin.on("data", offer);
  note("Enter prints another link, Ctrl-C ends");
  return {
    untilGone,
    stop: () => {
      stop();
      stdin.off("data", offer);
      stdin.destroy();
    },
  };
}
