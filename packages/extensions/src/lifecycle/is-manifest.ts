import type { ExtensionManifest } from "../manifest/manifest.ts";

/** Whether a stored value has the shape that readers of a manifest rely on. What an installation accepts is stricter. */
export function isManifest(value: unknown): value is ExtensionManifest {
  if (!isObject(value) || !isObject(value["provider"])) return false;
  const { provider, runtime, implementations } = value;
  return (
    isText(provider["id"]) &&
    isText(provider["version"]) &&
    isTexts(provider["permissions"]) &&
    isRuntime(runtime) &&
    Array.isArray(implementations) &&
    implementations.every((each) => isObject(each) && isText(each["capability_id"]) && isText(each["protocol"]))
  );
}

function isRuntime(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value["protocol"]) &&
    isText(value["entrypoint"]) &&
    isTexts(value["args"]) &&
    isTexts(value["doctor_args"]) &&
    isTexts(value["required_permissions"]) &&
    Number.isInteger(value["timeout_seconds"]) &&
    Number(value["timeout_seconds"]) > 0
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
