import { describeContents } from "@loopx/contracts";
import type { TextView } from "../packets/shown-text.ts";

/** What the caller asked for, as every answer repeats it. */
export interface ReviewRequest {
  readonly repository: string | null;
  readonly stateFilter: string;
  readonly limit: number;
  readonly since: string | undefined;
  readonly source: "github_cli" | "fixture";
  readonly reviewer: string | null;
  readonly include: readonly string[];
}

export function toRequestPacket(request: ReviewRequest): object {
  const { repository, stateFilter, limit, since, source, reviewer, include } = request;
  return {
    schema_version: "loopx_pr_review_command_request_v0",
    command: "/loopx-pr-review",
    repository,
    limit,
    state_filter: stateFilter,
    ...(since === undefined ? {} : { since }),
    source,
    reviewer_login: reviewer,
    include,
    privacy_mode: "public_safe_github_metadata",
    dry_run: true,
  };
}

/** The packet with what its boundary says: read from what stands in it, and from what was masked on the way. */
export function withBoundary(packet: object, text: TextView): object {
  const contains = describeContents(JSON.stringify(packet));
  return {
    ...packet,
    boundary: {
      absolute_paths_recorded: contains.includes("local_path"),
      credential_values_recorded: contains.includes("credential"),
      masked_path_count: text.masked.local_path,
      masked_credential_count: text.masked.credential,
      project_state_changed: false,
    },
  };
}
