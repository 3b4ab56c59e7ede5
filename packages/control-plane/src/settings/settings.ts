import { LIMITS, LoopxError, parseDuration, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { accepts } from "../events/column-rule.ts";
import { takeStored } from "../events/entity-table.ts";
import { checkOwner } from "../agents/check-actor.ts";

/** Every setting there is, what it takes and what holds without it. */
export const SETTINGS = {
  "lease.ttl": {
    describe: "how long a claim and its turn last without activity, such as 45m",
    default: "45m",
    parse: parseLeaseTtl,
  },
} as const;

export type SettingName = keyof typeof SETTINGS;

function parseLeaseTtl(value: string): string {
  const ms = parseDuration(value, "lease.ttl");
  if (ms >= LIMITS.leaseMinMs && ms <= LIMITS.leaseMaxMs) return value;
  throw new LoopxError("invalid_value", {
    message: "lease.ttl must be between 1m and 24h",
    details: { field: "lease.ttl" },
  });
}

/** Takes the name of a setting, or refuses with `unknown_setting`: what is accepted is never inert. */
export function parseSettingName(name: string): SettingName {
  if (Object.hasOwn(SETTINGS, name)) return name as SettingName;
  throw new LoopxError("unknown_setting", {
    message: "no setting has this name",
    hint: `settings are: ${Object.keys(SETTINGS).join(", ")}`,
    details: { field: "key" },
  });
}

/** The setting's value as text, its default when nobody set it. */
export async function loadSetting(tx: Transaction, name: SettingName): Promise<string> {
  const row = await tx.get<{ value: string }>("SELECT value FROM settings WHERE name = ?", name);
  if (row === undefined) return SETTINGS[name].default;
  const isTaken = accepts(() => SETTINGS[name].parse(row.value) === row.value);
  return takeStored(row.value, () => isTaken, { table: "settings", column: "value" });
}

/** Stores a setting. Owners only. */
export async function saveSetting(
  database: Database,
  setting: { readonly name: SettingName; readonly value: string },
  actor: Actor,
): Promise<{ readonly ok: true; readonly value: string } | Refusal> {
  const refused = checkOwner(actor, "change settings");
  if (refused !== undefined) return refused;
  const value = SETTINGS[setting.name].parse(setting.value);
  await database.write((tx) =>
    tx.run(
      "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      setting.name,
      value,
    ),
  );
  return { ok: true, value };
}
