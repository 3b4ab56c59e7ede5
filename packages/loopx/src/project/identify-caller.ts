import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { findOwnerToken, type Actor, type Caller } from "@loopx/control-plane";
import { findHostMarker, findThreadId as findHostThread } from "@loopx/host-commands";
import type { ProcessFacts } from "../process-facts.ts";
import { withHomeToRead } from "./open-home.ts";
import { withNamedFile } from "./regular-file.ts";

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
 * Who calls. An `--agent-id` is that agent and nothing more; what carries a host's marker is never an owner; else an
 * owner token, an interactive terminal or a Workstation that was started so shows an owner; whatever is left is a process
 * that named no lane.
 */
export async function identifyCaller(world: CallerWorld, claim: CallerClaim): Promise<Caller> {
  return { actor: await identifyActor(world, claim), threadId: findThreadId(world.ambient, claim.threadId) };
}

async function identifyActor({ ambient, facts }: CallerWorld, claim: CallerClaim): Promise<Actor> {
  if (claim.agentId !== undefined) return { kind: "agent", agent_id: claim.agentId };
  const marker = findHostMarker(ambient.env);
  if (marker !== undefined && claim.ownerTokenFile === undefined) return { kind: "process", host: marker.host };
  if (marker !== undefined) {
    throw new LoopxError("gate_needs_owner", {
      message: `an owner token counts only outside an agent: this process carries the marker of ${marker.host}`,
      hint: "run it at your own terminal",
      details: { field: "owner_token_file", host: marker.host },
    });
  }
  if (claim.ownerTokenFile !== undefined) return identifyByToken(ambient, claim.ownerTokenFile);
  if (facts.isOwnersWorkstation) return { kind: "owner", via: "workstation" };
  const isInteractive = facts.isStdinTerminal && (facts.isStdoutTerminal || facts.isStderrTerminal);
  return isInteractive ? { kind: "owner", via: "terminal" } : { kind: "process" };
}

async function identifyByToken(ambient: Ambient, file: string): Promise<Actor> {
  const secret = readTokenFile(resolve(ambient.cwd, file));
  const token = await withHomeToRead(ambient, async (home) => home?.read((tx) => findOwnerToken(tx, secret)));
  if (token !== undefined) return { kind: "owner", via: "token", token_id: token.token_id };
  throw new LoopxError("gate_needs_owner", {
    message: "the owner token is unknown or was revoked",
    hint: 'create another at your own terminal: loopx owner token create --output "$HOME/.loopx-owner-token"',
    details: { field: "owner_token_file" },
  });
}

const TOKEN_FILE_MAX_BYTES = 4096;

function readTokenFile(path: string): string {
  const named = {
    path,
    field: "owner_token_file",
    maxBytes: TOKEN_FILE_MAX_BYTES,
    hint: "name the file that loopx owner token create wrote",
  };
  return withNamedFile(named, (fd, { mode, uid }) => {
    // Whoever owns the file may change its mode, and what is in it, at any time. Windows has no such ids.
    if (process.geteuid !== undefined && uid !== process.geteuid()) {
      throw new LoopxError("gate_needs_owner", {
        message: "the owner token file belongs to another user, so it shows nothing about who calls",
        hint: "use a file of your own: loopx owner token create writes one",
        details: { field: "owner_token_file" },
      });
    }
    // Windows keeps who may read in lists of its own and reports every file as readable by all.
    // oxlint-disable-next-line no-bitwise -- the permission bits of a mode
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new LoopxError("gate_needs_owner", {
        message: "others can read the owner token file, so it shows nothing about who calls",
        hint: "chmod 600 the file, or revoke the token and create another",
        details: { field: "owner_token_file" },
      });
    }
    return readFileSync(fd, "utf8").trim();
  });
}

/**
 * The thread a caller names, else the one its Codex host names; never a guess.
 *
 * An agent that `loopx drive` runs has a thread of its own each turn, which nobody binds: the driver holds its turns.
 */
export function findThreadId(ambient: Ambient, named: string | undefined): string | null {
  if (named === undefined && (ambient.env["LOOPX_AGENT"] ?? "") !== "") return null;
  return findHostThread({ typed: named, env: ambient.env, readsCodexThreadId: true }) ?? null;
}
