import type { SensitiveKind } from "@loopx/contracts";
import type { HostProtocol, MutationPolicy } from "../registry/host-command.ts";

/** What a host hands to the agent or to the CLI once it has parsed a command (seed 003). */
export interface HandoffPacket {
  readonly ok: true;
  readonly schema_version: "codex_app_host_command_handoff_v0";
  readonly command: string;
  readonly raw_command: string;
  readonly canonical_command: string;
  readonly task_text?: string;
  readonly task_text_contains?: readonly SensitiveKind[];
  /** `sha256:` of the text's UTF-8 form: whoever copies the text can check the copy. */
  readonly task_text_digest?: string;
  /** The UI surface; `--host-surface` in `cli_argv` is the runtime's. */
  readonly host_surface: string;
  readonly project_root_label?: string;
  readonly goal_id?: string;
  readonly agent_id?: string;
  readonly thread_id?: string;
  readonly protocol: HostProtocol;
  readonly mutation_policy: MutationPolicy;
  /** For people: the seed's form with a placeholder. */
  readonly cli_preview: string;
  /** Where to run the command; without it, where the message was typed. */
  readonly run_in?: "project_root";
  /** For programs: exactly what to run. */
  readonly cli_argv: readonly string[];
  /** The same as one line for a POSIX shell. */
  readonly cli_command: string;
  readonly authority: HandoffAuthority;
  readonly next_step: string;
}

/** What a parsed command allows by itself: nothing that the CLI would not ask about. */
export interface HandoffAuthority {
  readonly read_allowed: true;
  readonly project_local_write_allowed: boolean;
  readonly global_control_write_allowed: false;
  readonly production_action_allowed: false;
}

/** A project command without a project. Nothing was written. */
export interface HostSetupPacket {
  readonly ok: true;
  readonly schema_version: "loopx_host_command_setup_v0";
  readonly state: "project_not_resolved";
  readonly canonical_command: string;
  readonly reason: string;
  readonly help: string;
  readonly help_command: string;
}

/** A message that is ours and leads nowhere: the host shows this instead of passing the message on. */
export interface HostHelpPacket {
  readonly ok: false;
  readonly schema_version: "loopx_host_command_help_v0";
  readonly reason: "unknown_command";
  readonly message: string;
  readonly help_command: string;
  readonly commands: readonly string[];
}
