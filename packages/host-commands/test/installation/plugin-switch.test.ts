import { expect, test } from "vitest";
import { findEnabledPlugin } from "../../src/installation/installer.ts";

test.each([
  ["claude-code", '{"enabledPlugins":{"other@x":true,"loopx@loopx":true}}', "loopx@loopx"],
  ["claude-code", '{ // mine\n"enabledPlugins":{"loopx@team":["0.1.0"],},}', "loopx@team"],
  ["claude-code", '{"enabledPlugins":{"loopx@loopx":false}}', undefined],
  ["claude-code", '{"enabledPlugins":{"loopx-tools@x":true}}', undefined],
  ["claude-code", '{"enabledPlugins":"loopx@loopx"}', undefined],
  ["claude-code", '{"enabledPlugins":', undefined],
  ["codex", '[plugins."loopx@loopx"]\nenabled = true\n', "loopx@loopx"],
  ["codex", '[plugins."loopx@loopx"]\n', "loopx@loopx"],
  ["codex", '[plugins."loopx@loopx"]\nenabled = false\n', undefined],
  ["codex", '[plugins."loopx-tools@x"]\nenabled = true\n', undefined],
  ["codex", "plugins = [", undefined],
  ["opencode", '{"plugin":["a","opencode-loopx@0.1.0"]}', "opencode-loopx"],
  ["opencode", '{"plugin":["opencode-loopx@git+https://me:s3cret@example.org/x.git"]}', "opencode-loopx"],
  ["claude-code", '{"enabledPlugins":{"loopx@/home/me/\\u001b[2J":true}}', "loopx"],
  ["opencode", '{"plugin":[["opencode-loopx",{}]]}', "opencode-loopx"],
  ["opencode", '{"plugins":["opencode-loopx"]}', undefined],
  ["opencode", '{"plugin":["opencode-loopxy","./opencode-loopx"]}', undefined],
  ["opencode", '{"plugin":{"opencode-loopx":true}}', undefined],
  ["gemini", '{"enabledPlugins":{"loopx@loopx":true}}', undefined],
] as const)("in %s, %j turns on %s", (host, content, expected) => {
  expect(findEnabledPlugin(host, content)).toBe(expected);
});
