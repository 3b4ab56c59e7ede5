import { fstatSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isLoopxError, parseStrictJson, sha256Hex, type Ambient } from "@loopx/contracts";
import { readProfile, type LoadedProfile } from "@loopx/decision-context";
import { withNamedFile } from "../project/regular-file.ts";

const PROFILE_MAX_BYTES = 2 ** 20;

/**
 * What `--profile` names. Never throws: a profile that cannot be used is an answer, with what is wrong for whoever asks.
 *
 * It holds where private sources are, so one that others on this machine can read is not used.
 */
export function loadProfile(file: string | undefined, ambient: Pick<Ambient, "cwd">): LoadedProfile {
  if (file === undefined) return { kind: "none" };
  try {
    const named = {
      path: resolve(ambient.cwd, file),
      field: "profile",
      maxBytes: PROFILE_MAX_BYTES,
      hint: "",
    };
    return withNamedFile(named, (fd) => {
      // Windows keeps who may read in lists of its own and reports every file as readable by all.
      // oxlint-disable-next-line no-bitwise -- the permission bits of a mode
      if (process.platform !== "win32" && (fstatSync(fd).mode & 0o077) !== 0) {
        return toInvalid("can be read by others on this machine; chmod 600 it");
      }
      return parseProfile(readFileSync(fd));
    });
  } catch (error) {
    return toInvalid(isLoopxError(error) ? "cannot be read" : "is not UTF-8");
  }
}

function parseProfile(bytes: Buffer): LoadedProfile {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  let document: unknown;
  try {
    document = parseStrictJson(text, { field: "the profile" });
  } catch (error) {
    return toInvalid(isLoopxError(error) ? error.message : "is not JSON");
  }
  const read = readProfile(document);
  if (!read.ok) return { kind: "invalid", problems: read.problems };
  return { kind: "read", profile: read.value, digest: `sha256:${sha256Hex(bytes)}` };
}

function toInvalid(message: string): LoadedProfile {
  return { kind: "invalid", problems: [{ pointer: "", message }] };
}
