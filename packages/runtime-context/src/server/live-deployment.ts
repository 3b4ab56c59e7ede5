import type { ErrorCode, Instant } from "@loopx/contracts";
import type { Deployment } from "../turn/deployment.ts";

/** What came of the last time that build and binding were to be loaded anew. */
export interface Reload {
  readonly at: Instant;
  /** Null where they serve now. */
  readonly refused: { readonly code: ErrorCode; readonly message: string } | null;
}

/**
 * The deployment that serves, replaced whole: a turn runs on the pair of build and binding it began with, never on a
 * mixture. One that was replaced is closed when its last turn has ended.
 */
export class LiveDeployment {
  #current: { readonly deployment: Deployment; turns: number; isRetired: boolean };

  #lastReload: Reload | null = null;

  constructor(deployment: Deployment) {
    this.#current = { deployment, turns: 0, isRetired: false };
  }

  get current(): Deployment {
    return this.#current.deployment;
  }

  /** Null before the first. */
  get lastReload(): Reload | null {
    return this.#lastReload;
  }

  noteReload(reload: Reload): void {
    this.#lastReload = reload;
  }

  /** Lets `work` use the deployment as it is now, to its end. */
  async use<Result>(work: (deployment: Deployment) => Promise<Result>): Promise<Result> {
    const held = this.#current;
    held.turns += 1;
    try {
      return await work(held.deployment);
    } finally {
      held.turns -= 1;
      if (held.isRetired && held.turns === 0) await held.deployment.close();
    }
  }

  /** From here on turns begin on the new one. */
  async replace(next: Deployment): Promise<void> {
    const old = this.#current;
    this.#current = { deployment: next, turns: 0, isRetired: false };
    old.isRetired = true;
    if (old.turns === 0) await old.deployment.close();
  }

  async close(): Promise<void> {
    await this.#current.deployment.close();
  }
}
