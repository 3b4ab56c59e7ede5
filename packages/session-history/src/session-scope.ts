import { SESSION_HOSTS, type SessionHost } from "./hosts/session-host.ts";

/** One session of one host: all that a call may look at. */
export interface SessionScope {
  readonly host: SessionHost;
  readonly sessionId: string;
}

const SCOPE = /^host-session:([a-z-]+):([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/;

/** The session that a `scope_ref` names, `host-session:codex:<id>` or `host-session:claude-code:<id>`. */
export function parseSessionScope(scopeRef: string): SessionScope | undefined {
  const [, family, sessionId] = SCOPE.exec(scopeRef) ?? [];
  const host = SESSION_HOSTS.find((one) => one.family === family);
  return host === undefined || sessionId === undefined ? undefined : { host, sessionId };
}

/** Whether the session is the one that asks: its agent has all of it before its eyes. */
export function isInvokingSession(scope: SessionScope, environment: NodeJS.ProcessEnv): boolean {
  return scope.host.ownSessionVariables.some((name) => environment[name] === scope.sessionId);
}
