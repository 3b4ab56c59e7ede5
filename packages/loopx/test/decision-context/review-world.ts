import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInProcessWorld, START, type InProcessWorld, type Who } from "../in-process-world.ts";

/** A packet of any command, for reading. */
export interface Packet {
  readonly [field: string]: never;
}

/** A goal with one authority file, a lane, and a profile that names both. */
export interface ReviewWorld extends InProcessWorld {
  /** Writes the authority a minute before the world's time, or so many milliseconds. */
  writeAuthority(text: string, ageMs?: number): void;
  /** A decision-context command on the decision `d1`, with the profile. */
  decide(command: string, words?: readonly string[]): Promise<Packet>;
  /** Writes a JSON file for a flag and gives the flag. */
  json(flag: string, value: unknown): string;
  as(words: readonly string[], who: Who): Promise<Packet>;
}

export const AUTHORITY = "Current authority keeps adoption at a bounded pilot.\n";

const LANE = ["--goal-id=g1", "--agent-id=a1"];

export async function createReviewWorld(): Promise<ReviewWorld> {
  const world = createInProcessWorld();
  const authority = join(world.directory, "authority.md");
  const profile = join(world.directory, "profile.json");
  const as = async (words: readonly string[], who: Who): Promise<Packet> =>
    (await world.run(words, who)) as unknown as Packet;
  const writeAuthority = (text: string, ageMs = 60_000): void => {
    writeFileSync(authority, text);
    const before = new Date(Date.parse(START) - ageMs);
    utimesSync(authority, before, before);
  };
  writeAuthority(AUTHORITY);
  await world.must(["bootstrap", "--objective=Decide on the pilot", "--goal-id=g1"]);
  await world.must(["register-agent", ...LANE, "--execute"], "agent");
  await world.must(
    ["decision-context", "init-profile", ...LANE, `--output=${profile}`, `--source-file=${authority}`, "--execute"],
    "agent",
  );
  let files = 0;
  return {
    ...world,
    as,
    writeAuthority,
    decide: (command, words = []) => {
      const own = command === "record-outcome" ? [] : [`--profile=${profile}`];
      return as(["decision-context", command, ...LANE, ...own, "--decision-id=d1", ...words], "agent");
    },
    json: (flag, value) => {
      const file = join(world.directory, `document-${(files += 1)}.json`);
      writeFileSync(file, JSON.stringify(value));
      return `--${flag}=${file}`;
    },
  };
}
