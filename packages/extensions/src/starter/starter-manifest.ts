/** The manifest of a new extension. `version` is a text that needs no escape in TOML. */
export function renderStarterManifest(starter: {
  readonly id: string;
  readonly version: string;
  readonly program: string;
}): string {
  return `schema_version = "loopx_extension_manifest_v0"
id = "${starter.id}"
version = "${starter.version}"
requires_loopx_api = ">=1,<2"
permissions = ["decision_context.read"]

[runtime]
protocol = "decision_context_advisory_provider_v0"
entrypoint = "./${starter.program}"
doctor_args = ["--doctor"]
required_permissions = ["decision_context.read"]
timeout_seconds = 10

[[implements]]
capability_id = "decision-context"
protocol = "decision_context_advisory_provider_v0"
`;
}

/** What the program of a new extension answers from: one note a paragraph. */
export const STARTER_NOTES = `The importer retries a failed row twice, then writes it to the dead letter file.

The pilot stays bounded to one region until the error rate is below one in a thousand.

Dates in the export are UTC; the local time of the shop is in a field of its own.
`;
