import { expect, test } from "vitest";
import { decideActivation, type LoadedProfile } from "../../src/activation/activation.ts";
import { readProfile } from "../../src/profile/profile-rules.ts";
import { PROVIDER_ONLY, WITH_SOURCE } from "../profile-document.ts";

function load(document: object): LoadedProfile {
  const read = readProfile(document);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return { kind: "read", profile: read.value, digest: "sha256:0" };
}

const QUERY = { goalId: "g1", agentId: "a1", adapters: ["local-file"] };

test.each<[string, LoadedProfile, Partial<typeof QUERY>, readonly [string, string | null]]>([
  ["no profile", { kind: "none" }, {}, ["disabled", null]],
  [
    "one that cannot be used",
    { kind: "invalid", problems: [] },
    {},
    ["profile_invalid", "profile_unavailable_or_invalid"],
  ],
  ["another goal", load(PROVIDER_ONLY), { goalId: "g2" }, ["profile_invalid", "goal_scope_mismatch"]],
  ["one that is off", load({ ...PROVIDER_ONLY, enabled: false }), {}, ["disabled", null]],
  ["an agent it does not name", load(PROVIDER_ONLY), { agentId: "a2" }, ["agent_not_enabled", null]],
  [
    "an adapter nobody has",
    load(WITH_SOURCE),
    { adapters: [] },
    ["provider_unavailable", "source_provider_adapter_unavailable"],
  ],
  ["all in order", load(WITH_SOURCE), {}, ["available", null]],
])("with %s", (_, loaded, change, [status, reason]) => {
  const { activation } = decideActivation(loaded, { ...QUERY, ...change });
  expect([activation.status, activation.reason_code, activation.ok]).toEqual([status, reason, true]);
  expect(activation.available).toBe(status === "available");
});

test("a profile of another goal gives nothing away", () => {
  const { activation, profile } = decideActivation(load(WITH_SOURCE), { ...QUERY, goalId: "g2" });
  expect(profile).toBeNull();
  expect(activation).toMatchObject({ source_count: 0, context_provider_configured: false, enabled: false });
});

function profileFor(change: Partial<typeof QUERY>): string | undefined {
  return decideActivation(load(PROVIDER_ONLY), { ...QUERY, ...change }).profile?.goal_id;
}

test("only the agents that a profile of this goal names get the profile", () => {
  expect(profileFor({})).toBe("g1");
  expect([profileFor({ agentId: "a2" }), profileFor({ goalId: "g2" })]).toEqual([undefined, undefined]);
});
