import type { CommandRecord } from "./command-spec.ts";
import { EXECUTE, OWNER_TOKEN_FILE } from "./shared-flags.ts";

const EXTENSION_ID = { placeholder: "ID", describe: "id of the extension", required: true } as const;

const MANIFEST = {
  type: "path",
  placeholder: "PATH",
  describe: "extension.toml, or the folder it lies in",
} as const;

const BUNDLED = {
  type: "text",
  placeholder: "ID",
  describe: "an extension that ships with LoopX",
  completes: ["session-history", "loopx-obelisk"],
} as const;

const ONE_SOURCE = [{ from: ["manifest", "bundled"], required: true }] as const;

/** Programs that LoopX may ask for advice, each in a process of its own. */
export const EXTENSION_COMMANDS = {
  "extension init": {
    summary: "Write the folder of a new extension, ready to be checked",
    authority: "agent",
    flags: {
      destination: { type: "path", placeholder: "DIR", describe: "new folder, instead of one named after the id" },
      language: {
        type: "choice",
        placeholder: "LANGUAGE",
        describe: "what its program is written in",
        choices: ["ts", "python", "shell"],
        default: "python",
      },
      initialVersion: { type: "text", placeholder: "X.Y.Z", describe: "version of the extension, 0.1.0 unless given" },
      execute: EXECUTE,
    },
    positional: EXTENSION_ID,
    examples: ["loopx extension init team-notes --language python --execute"],
  },
  "extension check": {
    summary: "Say whether an extension keeps its contract, without installing it",
    details:
      "Starts its program several times, as a request would, also with requests that it must not answer. For authors, in " +
      "any language.",
    authority: "agent",
    flags: {
      scopeRef: {
        type: "text",
        placeholder: "REF",
        describe: "scope to retrieve from, instead of one that nobody has",
      },
      query: { type: "text", placeholder: "TEXT", describe: "what to look for there" },
    },
    positional: { placeholder: "PATH", describe: "extension.toml, or the folder it lies in", required: true },
    examples: ["loopx extension check examples/advisory-providers/python"],
  },
  "extension list": {
    summary: "List installed extensions, and whether each is ready",
    authority: "read",
    flags: {},
    examples: ["loopx extension list"],
  },
  "extension install": {
    summary: "Install an extension: its doctor must verify it, then it is in use",
    authority: "owner",
    flags: { manifest: MANIFEST, bundled: BUNDLED, execute: EXECUTE, ownerTokenFile: OWNER_TOKEN_FILE },
    chooseOne: ONE_SOURCE,
    examples: [
      "loopx extension install --bundled session-history --execute",
      "loopx extension install --manifest team-notes --execute",
    ],
  },
  "extension upgrade": {
    summary: "Go to another revision of an extension; the one before is kept",
    authority: "owner",
    flags: { manifest: MANIFEST, bundled: BUNDLED, execute: EXECUTE, ownerTokenFile: OWNER_TOKEN_FILE },
    chooseOne: ONE_SOURCE,
    examples: ["loopx extension upgrade --manifest team-notes --execute"],
  },
  "extension enable": {
    summary: "Use a disabled extension again, once its doctor has verified it",
    authority: "owner",
    flags: { execute: EXECUTE, ownerTokenFile: OWNER_TOKEN_FILE },
    positional: EXTENSION_ID,
    examples: ["loopx extension enable team-notes --execute"],
  },
  "extension disable": {
    summary: "Take an extension out of use",
    authority: "agent",
    flags: { execute: EXECUTE },
    positional: EXTENSION_ID,
    examples: ["loopx extension disable team-notes --execute"],
  },
  "extension rollback": {
    summary: "Go back to the revision before; a second time goes forward again",
    authority: "owner",
    flags: { execute: EXECUTE, ownerTokenFile: OWNER_TOKEN_FILE },
    positional: EXTENSION_ID,
    examples: ["loopx extension rollback team-notes --execute"],
  },
  "extension doctor": {
    summary: "Verify an extension's program; with --execute by starting it",
    details: "A program that is not verified loses the proof it had. The exit code is 0 for one that is ready.",
    authority: "agent",
    ownerWhen: "the program is another one than was verified before",
    flags: { execute: EXECUTE, ownerTokenFile: OWNER_TOKEN_FILE },
    positional: EXTENSION_ID,
    examples: ["loopx extension doctor team-notes --execute"],
  },
  "extension remove": {
    summary: "Forget a disabled extension and its revisions; its files stay",
    authority: "owner",
    flags: { execute: EXECUTE, ownerTokenFile: OWNER_TOKEN_FILE },
    positional: EXTENSION_ID,
    examples: ["loopx extension remove team-notes --execute"],
  },
} as const satisfies CommandRecord;
