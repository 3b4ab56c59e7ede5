import type { CallerFacts, ProjectFacts } from "../guided-start/guided-start-facts.ts";

/** Everything `bootstrap-command-pack` knows. */
export interface CommandPackFacts extends ProjectFacts, CallerFacts {
  readonly newPeer: boolean;
  readonly goalText: string | undefined;
  /** Only this command may follow a linked worktree to its registered source (seed 003), and it says so. */
  readonly followedWorktreeToLabel: string | undefined;
}
