/** The advisory provider's manifest that golden revisions were computed from; other lines replace or follow its own. */
export function sampleManifest(changes: Readonly<Record<string, string>> = {}): string {
  const fields = {
    version: '"0.1.0"',
    entrypoint: '"/opt/fakehist/provider"',
    timeout_seconds: "30",
    ...changes,
  };
  return `schema_version = "loopx_extension_manifest_v0"
id = "loopx-fakehist"
version = ${fields.version}
requires_loopx_api = ">=1,<2"
permissions = ["decision_context.read"]

[runtime]
protocol = "decision_context_advisory_provider_v0"
entrypoint = ${fields.entrypoint}
doctor_args = ["--doctor"]
required_permissions = ["decision_context.read"]
timeout_seconds = ${fields.timeout_seconds}

[[implements]]
capability_id = "decision-context"
protocol = "decision_context_advisory_provider_v0"
`;
}
