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

/** The same world at another place. A spread would look up the working directory, which may be gone and not asked for. */
export function toAmbientAt(
  ambient: Ambient,
  place: { readonly [Key in "env" | "cwd"]?: Ambient[Key] | undefined },
): Ambient {
  return {
    now: () => ambient.now(),
    newId: (prefix) => ambient.newId(prefix),
    env: place.env ?? ambient.env,
    get cwd() {
      return place.cwd ?? ambient.cwd;
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

/** Asked for at once: a server makes an id a turn, and each asking costs several times what a byte does. */
const DRAWN_AT_ONCE = 512;
let random: Uint8Array = new Uint8Array(0);
let unused = 0;

/** 16 characters of base 36, about 83 bits: no two alike on any number of machines. */
function newId(prefix: string): string {
  let characters = "";
  while (characters.length < ID_LENGTH) {
    const byte = takeRandomByte();
    // 252 is the largest multiple of 36 in a byte: without the rest every character is equally likely.
    if (byte < 252) characters += ID_ALPHABET[byte % 36];
  }
  return `${prefix}_${characters}`;
}

function takeRandomByte(): number {
  if (unused === 0) {
    random = randomBytes(DRAWN_AT_ONCE);
    unused = random.length;
  }
  unused -= 1;
  return random[unused] ?? 0;
}
