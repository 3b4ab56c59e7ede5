import type { MouseEvent, ReactNode } from "react";
import { toAddress, type Route } from "./route.ts";
import { goTo } from "./use-route.ts";

interface LinkProps {
  readonly to: Route;
  readonly children: ReactNode;
  readonly className?: string;
  readonly isCurrent?: boolean;
}

/** A link to a screen of the page. A real address, so that it opens in a new tab and can be copied. */
export function Link({ to, children, className, isCurrent = false }: LinkProps): ReactNode {
  const follow = (event: MouseEvent): void => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={toAddress(to)} className={className} onClick={follow} aria-current={isCurrent ? "page" : undefined}>
      {children}
    </a>
  );
}
