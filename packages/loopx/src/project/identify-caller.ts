import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { findOwnerToken, type Actor, type Caller } from "@loopx/control-plane";
import { findHostMarker, findThreadId as findHostThread } from "@loopx/host-commands";
import type { ProcessFacts } from "../process-facts.ts";
import { withHomeToRead } from "./open-home.ts";

/** What a caller says of itself on the command line. */
export interface CallerClaim {
  readonly agentId?: string | undefined;
  readonly threadId?: string | undefined;
  readonly ownerTokenFile?: string | undefined;
}

interface CallerWorld {
  readonly ambient: Ambient;
  readonly facts: ProcessFacts;
}

/**
 * Who calls. An `--agent-id` is that agent and nothing more; else an owner token; else an interactive terminal without
 * any host's marker is an owner; whatever is left is a process that named no lane.
 */
export async function identifyCaller(world: CallerWorld, claim: CallerClaim): Promise<Caller> {
  return { actor: await identifyActor(world, claim), threadId: findThreadId(world.ambient, claim.threadId) };
}

async function identifyActor({ ambient, facts }: CallerWorld, claim: CallerClaim): Promise<Actor> {
  if (claim.agentId !== undefined) return { kind: "agent", agent_id: claim.agentId };
  if (claim.ownerTokenFile !== undefined) return identifyByToken(ambient, claim.ownerTokenFile);
  const marker = findHostMarker(ambient.env);
  if (marker !== undefined) return { kind: "process", host: marker.host };
  const isInteractive = facts.isStdinTerminal && (facts.isStdoutTerminal || facts.isStderrTerminal);
  return isInteractive ? { kind: "owner", via: "terminal" } : { kind: "process" };
}

async function identifyByToken(ambient: Ambient, file: string): Promise<Actor> {
  const secret = readTokenFile(resolve(ambient.cwd, file));
  const token = await withHomeToRead(ambient, async (home) => home?.read((tx) => findOwnerToken(tx, secret)));
  if (token !== undefined) return { kind: "owner", via: "token", token_id: token.token_id };
  throw new LoopxError("gate_needs_owner", {
    message: "the owner token is unknown or was revoked",
    hint: "create another at your own terminal: loopx owner token create --output ~/.loopx-owner-token",
    details: { field: "owner_token_file" },
  });
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new LoopxError("file_not_readable", {
      message: "the file named with --owner-token-file cannot be read",
      hint: "check the name and that you may read it",
      details: { field: "owner_token_file" },
      cause: error,
    });
  }
}

/** The thread a caller names, else the one its Codex host names; never a guess. */
export function findThreadId(ambient: Ambient, named: string | undefined): string | null {
  return findHostThread({ typed: named, env: ambient.env, readsCodexThreadId: true }) ?? null;
}
