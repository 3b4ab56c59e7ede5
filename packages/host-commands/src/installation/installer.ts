// What needs the YAML, TOML and JSONC libraries: loaded by who installs or looks, and by nobody else.
export { readEntry, withEntry, withoutEntry } from "./entry-file.ts";
export { planInstallation, type PlanRequest } from "./plan-installation.ts";
export { findEnabledPlugin, listPluginSwitches } from "./plugin-switch.ts";
