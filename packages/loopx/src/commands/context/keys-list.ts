import type { Keyset, KeyState } from "@loopx/runtime-context";
import { loadBinding } from "../../context/binding-place.ts";
import { readKeyset } from "../../context/keyset-file.ts";
import { withTraces } from "../../context/trace-place.ts";
import { renderTable } from "../../output/render-table.ts";
import { joinLines } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Lists the keys of a binding by id; no secret is shown. With a store it says what each is needed for. */
export const run: CommandHandler<"context keys list"> = async ({ flags, ambient }) => {
  const { store } = flags;
  const binding = await loadBinding(flags.binding, ambient);
  const keyset = readKeyset(binding, ambient);
  const uses =
    store === undefined ? undefined : await withTraces({ ...flags, store }, ambient, (traces) => traces.countKeyUses());
  const keys = keyset.keys.map((key) => toShownKey(key, uses === undefined ? null : (uses.get(key.id) ?? NO_USES)));
  return {
    packet: { ok: true, schema_version: "loopx_context_keys_v1", keyset: keyset.id, keys },
    text: (style) =>
      joinLines(
        `keyset ${keyset.id} of ${binding.id}`,
        renderTable(
          [
            { title: "KEY" },
            { title: "STATE" },
            { title: "CREATED" },
            { title: "USE" },
            ...(uses === undefined
              ? []
              : [
                  { title: "TRACES", align: "right" as const },
                  { title: "CONTENTS", align: "right" as const },
                ]),
          ],
          keys.map((key) => [
            key.id,
            key.state,
            key.created_at ?? "unknown",
            key.use,
            ...("traces" in key ? [String(key.traces), String(key.contents)] : []),
          ]),
          style,
        ),
      ),
  };
};

const NO_USES = { traceCount: 0, contentCount: 0 };

const USES: Readonly<Record<KeyState, string>> = {
  active: "makes digests, signs traces, encrypts content",
  verify_only: "checks, finds and reads what it made",
  destroyed: "none: what it made is unlinked",
};

interface ShownKey {
  readonly id: string;
  readonly state: KeyState;
  readonly created_at: string | null;
  readonly destroyed_at?: string;
  readonly use: string;
  readonly traces?: number;
  readonly contents?: number;
}

function toShownKey(key: Keyset["keys"][number], uses: typeof NO_USES | null): ShownKey {
  return {
    id: key.id,
    state: key.state,
    created_at: key.createdAt,
    ...(key.destroyedAt === null ? {} : { destroyed_at: key.destroyedAt }),
    use: USES[key.state],
    ...(uses === null ? {} : { traces: uses.traceCount, contents: uses.contentCount }),
  };
}
