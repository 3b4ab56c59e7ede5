import { expect, test } from "vitest";
import { loadSetting, parseSettingName, saveSetting } from "../../src/index.ts";
import { a1, accepted, openWorld, OWNER, refusalOf } from "../control-plane-world.ts";

test("a setting has its default until an owner sets it", async () => {
  const { project } = await openWorld();
  const setting = { name: "lease.ttl", value: "1h30m" } as const;
  expect(await project.read((tx) => loadSetting(tx, "lease.ttl"))).toBe("45m");
  expect(await refusalOf(saveSetting(project, setting, a1.actor))).toBe("gate_needs_owner");
  expect(await project.read((tx) => loadSetting(tx, "lease.ttl"))).toBe("45m");
  accepted(await saveSetting(project, setting, OWNER));
  expect(await project.read((tx) => loadSetting(tx, "lease.ttl"))).toBe("1h30m");
});

test("what would be inert or out of bounds is refused", async () => {
  const { project } = await openWorld();
  for (const value of ["0s", "59s", "24h1s", "soon", "", "-5m"]) {
    expect([value, await refusalOf(saveSetting(project, { name: "lease.ttl", value }, OWNER))]).toEqual([
      value,
      "invalid_value",
    ]);
  }
  for (const name of ["unknown.key", "toString", "__proto__", ""]) {
    expect(() => parseSettingName(name)).toThrow("no setting has this name");
  }
});
