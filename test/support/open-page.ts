import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { WorkstationServer } from "./workstation-server.ts";

/** A page of a browser of its own that was let in, and what it complained about. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors on its console and exceptions that nobody caught, refused scripts and styles among them. */
  readonly complaints: readonly string[];
  /** Addresses that it asked anything of besides its server. */
  readonly elsewhere: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens a link of the server in a profile of its own, then the screen at `path`. */
export async function openPage(
  browser: Browser,
  server: WorkstationServer,
  { path = "/", ...options }: BrowserContextOptions & { readonly path?: string } = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (asked) => asked.url().startsWith(server.url) || elsewhere.push(asked.url()));
  await page.goto(await server.nextLink());
  await page.getByRole("navigation").waitFor();
  if (path !== "/") await page.goto(`${server.url}${path}`);
  await page.getByText("Live", { exact: true }).waitFor();
  return { page, complaints, elsewhere, close: () => context.close() };
}
