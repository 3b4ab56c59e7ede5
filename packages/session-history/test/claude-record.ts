/** Records of a Claude Code transcript, chained one after the other. */
export interface ClaudeChain {
  readonly say: (role: "user" | "assistant", content: unknown, extra?: Readonly<Record<string, unknown>>) => object;
  /** The id of the record made last. */
  readonly last: () => string | null;
  /** The next record continues here. */
  readonly rewindTo: (uuid: string | null) => void;
}

export function chainClaude(sessionId: string): ClaudeChain {
  let count = 0;
  let parent: string | null = null;
  return {
    say(role, content, extra = {}) {
      count += 1;
      const uuid = `uuid-${count}`;
      const record = {
        parentUuid: parent,
        isSidechain: false,
        userType: "external",
        cwd: "/tmp/proj",
        sessionId,
        version: "2.1.140",
        type: role,
        message: { role, content },
        uuid,
        timestamp: "2026-11-30T08:00:00.000Z",
        ...extra,
      };
      parent = uuid;
      return record;
    },
    last: () => parent,
    rewindTo: (uuid) => {
      parent = uuid;
    },
  };
}
