/** The manifest of an advisory provider whose program lies beside it. */
export function renderAdvisoryManifest({
  id,
  version = "0.1.0",
  entrypoint = "./provider",
  timeoutSeconds = 20,
}: {
  readonly id: string;
  readonly version?: string;
  readonly entrypoint?: string;
  readonly timeoutSeconds?: number;
}): string {
  return `schema_version = "loopx_extension_manifest_v0"
id = "${id}"
version = "${version}"
requires_loopx_api = ">=1,<2"
permissions = ["decision_context.read"]
[runtime]
protocol = "decision_context_advisory_provider_v0"
entrypoint = "${entrypoint}"
doctor_args = ["--doctor"]
required_permissions = ["decision_context.read"]
timeout_seconds = ${timeoutSeconds}
[[implements]]
capability_id = "decision-context"
protocol = "decision_context_advisory_provider_v0"
`;
}
