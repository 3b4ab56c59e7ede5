import axe from "axe-core";
import type { Page } from "playwright-core";

/** One thing that keeps somebody from using the page. */
export interface AccessibilityFault {
  readonly rule: string;
  /** Where, as selectors. */
  readonly at: readonly string[];
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** What axe finds against WCAG 2.2 A and AA on the page as it is now. The page's policy keeps out nothing of it. */
export async function findAccessibilityFaults(page: Page): Promise<readonly AccessibilityFault[]> {
  const session = await page.context().newCDPSession(page);
  const run = `(async () => { ${axe.source}; return window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }); })()`;
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  const { violations } = result.value as AxeResult;
  return violations.map(({ id, nodes }) => ({ rule: id, at: nodes.flatMap(({ target }) => target) }));
}
