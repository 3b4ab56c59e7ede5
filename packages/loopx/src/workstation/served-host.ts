import { LoopxError } from "@loopx/contracts";

/** As the system takes them, `0` among them: with these the server listens on every address of the machine. */
const EVERY_ADDRESS = new Set(["0.0.0.0", "::", "::ffff:0:0"]);
const NAME_OR_ADDRESS = /^[\w.:-]+$/;

/**
 * The host to listen on as browsers write it, so that links, `Host` and `Origin` say the same: `127.1` is 127.0.0.1.
 *
 * Refuses with `invalid_value` what is no host, and what means all addresses there are.
 */
export function parseServedHost(given: string): string {
  const url = `http://${given.includes(":") ? `[${given}]` : given}`;
  const host = NAME_OR_ADDRESS.test(given) && URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "";
  if (given !== "*" && host !== "" && !EVERY_ADDRESS.has(host)) return host;
  throw new LoopxError("invalid_value", {
    message: "--host names the one address that browsers use, not all there are",
    hint: "an address of this machine without brackets or a port, such as 127.0.0.1 or ::1",
    details: { field: "host" },
  });
}
