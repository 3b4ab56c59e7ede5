import { LoopxError, toInstant, type Ambient } from "@loopx/contracts";
import { randomBytes } from "./random-bytes.ts";

const ID_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 16;

/**
 * The real world: this process's clock, randomness, environment and working directory.
 *
 * The directory is looked up when it is asked for, since it may be gone: `cwd` then refuses with `project_not_resolved`.
 */
export function createAmbient(): Ambient {
  return {
    now: () => toInstant(Date.now()),
    newId,
    env: process.env,
    get cwd() {
      return findWorkingDirectory();
    },
  };
}

function findWorkingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new LoopxError("project_not_resolved", {
      message: "the working directory was deleted or cannot be read",
      hint: "go to a folder that exists, then run the command again",
      cause: error,
    });
  }
}

/** 16 characters of base 36, about 83 bits: no two alike on any number of machines. */
function newId(prefix: string): string {
  let characters = "";
  while (characters.length < ID_LENGTH) {
    for (const byte of randomBytes(ID_LENGTH + 8)) {
      // 252 is the largest multiple of 36 in a byte: without the rest every character is equally likely.
      if (byte < 252 && characters.length < ID_LENGTH) characters += ID_ALPHABET[byte % 36];
    }
  }
  return `${prefix}_${characters}`;
}
