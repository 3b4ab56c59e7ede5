import type { ReactNode } from "react";
import type { SessionAnswer } from "./contract/session.ts";
import { EmptyState } from "./components/empty-state.tsx";
import { Loading } from "./components/loading.tsx";
import { useLiveState } from "./http/use-live-state.ts";
import { useSession } from "./http/use-session.ts";
import { Link } from "./routing/link.tsx";
import type { Route } from "./routing/route.ts";
import { useRoute } from "./routing/use-route.ts";
import { ContextScreen } from "./screens/context/context-screen.tsx";
import { TraceScreen } from "./screens/context/trace-screen.tsx";
import { GoalScreen } from "./screens/goal/goal-screen.tsx";
import { OverviewScreen } from "./screens/overview/overview-screen.tsx";
import { RecallScreen } from "./screens/recall/recall-screen.tsx";
import { SignedOutScreen } from "./screens/session/signed-out-screen.tsx";
import { SessionContext } from "./session-context.ts";

/** The whole page: signs in, then shows the screen of its address. */
export function App(): ReactNode {
  const session = useSession();
  switch (session.state.kind) {
    case "asking":
      return <Loading />;
    case "signed-out":
      return <SignedOutScreen fault={session.state.fault} session={session} />;
    case "signed-in":
      return <Frame session={session.state.session} />;
  }
}

const NAVIGATION = [
  ["Overview", { screen: "overview" }, ["overview", "goal", "todo"]],
  ["Context", { screen: "context" }, ["context", "trace"]],
  ["Recall", { screen: "recall" }, ["recall"]],
] as const;

function Frame({ session }: { readonly session: SessionAnswer }): ReactNode {
  const route = useRoute();
  const live = useLiveState();
  return (
    <SessionContext value={session}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="frame">
        <span className="brand">LoopX</span>
        <nav aria-label="Screens">
          {NAVIGATION.map(([title, to, screens]) => (
            <Link key={title} to={to} isCurrent={(screens as readonly string[]).includes(route.screen)}>
              {title}
            </Link>
          ))}
        </nav>
        <span className={`live live-${live}`} role="status">
          {live === "live" ? "Live" : live === "away" ? "The server is away. Trying again…" : "Connecting…"}
        </span>
      </header>
      {session.why_not === null ? null : (
        <p className="standing" role="note">
          {session.why_not}
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {toScreen(route)}
      </main>
    </SessionContext>
  );
}

function toScreen(route: Route): ReactNode {
  switch (route.screen) {
    case "overview":
      return <OverviewScreen />;
    case "goal":
    case "todo": {
      const { screen: _screen, ...place } = route;
      return <GoalScreen key={route.goalId} {...place} />;
    }
    case "context": {
      const { screen: _screen, ...shown } = route;
      return <ContextScreen {...shown} />;
    }
    case "trace":
      return <TraceScreen key={route.traceId} traceId={route.traceId} />;
    case "recall":
      return <RecallScreen />;
    case "nowhere":
      return (
        <EmptyState title="No screen has this address">
          <Link to={{ screen: "overview" }}>To the overview</Link>
        </EmptyState>
      );
  }
}
