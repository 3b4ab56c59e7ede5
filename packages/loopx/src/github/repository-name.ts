import { LoopxError } from "@loopx/contracts";

/** A name as `gh --repo` takes it: `owner/repo`, or `host/owner/repo`. Refuses anything else with `invalid_value`. */
export function parseRepositoryName(text: string): string {
  if (/^(?:[A-Za-z0-9][A-Za-z0-9.-]{0,99}\/)?[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/[A-Za-z0-9._-]{1,100}$/.test(text))
    return text;
  throw new LoopxError("invalid_value", {
    message: "--repo takes OWNER/REPO, or HOST/OWNER/REPO",
    hint: "for example --repo=cli/cli",
    details: { field: "repo" },
  });
}

/** The repository that a pull request's address is in; null when the address is no such one. */
export function findRepositoryName(url: string): string | null {
  const match = /^https:\/\/([A-Za-z0-9.-]+)\/([A-Za-z0-9_-]+\/[A-Za-z0-9._-]+)\/pull\/\d+$/.exec(url);
  if (match === null) return null;
  return match[1] === "github.com" ? (match[2] ?? null) : `${match[1]}/${match[2]}`;
}
