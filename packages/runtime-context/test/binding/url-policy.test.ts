import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { parseProviderUrl } from "../../src/binding/url-policy.ts";

describe("a provider's URL", () => {
  test.each([
    ["https://crm.example.com", "https://crm.example.com/"],
    ["HTTPS://CRM.Example.com:443/Lookup", "https://crm.example.com/Lookup"],
    ["https://crm.example.com:8443/a/../b", "https://crm.example.com:8443/b"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["http://localhost:8787/context", "http://localhost:8787/context"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787/"],
    ["http://127.8.9.1/", "http://127.8.9.1/"],
    ["http://[::1]:8787/", "http://[::1]:8787/"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    // Other spellings of loopback are what the parser makes of them, and shown so.
    ["http://2130706433/", "http://127.0.0.1/"],
    ["http://0177.0.0.1/", "http://127.0.0.1/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["http://127.1/", "http://127.0.0.1/"],
    ["http://①②⑦.0.0.1/", "http://127.0.0.1/"],
    ["http://127.0.0.1./", "http://127.0.0.1/"],
  ])("%s is taken as %s", (text, url) => {
    expect(parseProviderUrl(text, [])).toEqual({ url });
  });

  test.each([
    ["http://crm.example.com/", "must be https: plain http goes to loopback only (localhost, 127.0.0.0/8, [::1])"],
    ["http://10.0.0.1/", "must be https: plain http goes to loopback only (localhost, 127.0.0.0/8, [::1])"],
    [
      "http://localhost.example.com/",
      "must be https: plain http goes to loopback only (localhost, 127.0.0.0/8, [::1])",
    ],
    ["http://[::ffff:127.0.0.1]/", "must be https: plain http goes to loopback only (localhost, 127.0.0.0/8, [::1])"],
    ["ftp://crm.example.com/", "must be https, or http to loopback"],
    ["file:///etc/passwd", "must be https, or http to loopback"],
    ["data:application/json,{}", "must be https, or http to loopback"],
    ["unix:/run/crm.sock", "must be https, or http to loopback"],
    ["javascript:alert(1)", "must be https, or http to loopback"],
    ["crm.example.com/lookup", "is not a URL"],
    ["", "is not a URL"],
    ["https://", "is not a URL"],
    ["https://ann@crm.example.com/", "holds a user or password; give the credential as secret: env:NAME or file:PATH"],
    ["https://:x@crm.example.com/", "holds a user or password; give the credential as secret: env:NAME or file:PATH"],
    ["https://@crm.example.com/", "holds a user or password; give the credential as secret: env:NAME or file:PATH"],
    ["https:ann:pw@crm.example.com/", "holds a user or password"],
    ["https://crm.example.com/#x", "must have no fragment"],
    ["https://crm.example.com/#", "must have no fragment"],
    ["https://crm.example.com/?code=x", "must have no query; a credential is given as secret: env:NAME or file:PATH"],
    ["https://crm.example.com/?", "must have no query; a credential is given as secret: env:NAME or file:PATH"],
    ["https://crm.example.com:0/", "takes the ports 80, 443 and 1024 to 65535"],
    ["https://crm.example.com:22/", "takes the ports 80, 443 and 1024 to 65535"],
    ["https://crm.example.com:25/", "takes the ports 80, 443 and 1024 to 65535"],
    ["https://crm.example.com:1023/", "takes the ports 80, 443 and 1024 to 65535"],
    ["https://[fe80::1%25eth0]/", "holds a percent sign in its host (a zone id or an encoded host)"],
    ["https://%31%32%37.0.0.1/", "holds a percent sign in its host (a zone id or an encoded host)"],
    ["https://crm.example.com./", "must have no dot at the end of its host"],
    ["https://crm.example.com\\@evil.example/", "holds white space, control characters or a backslash"],
    ["https://crm.exa\tmple.com/", "holds white space, control characters or a backslash"],
    [" https://crm.example.com/", "holds white space, control characters or a backslash"],
    [`https://crm.example.com/${"x".repeat(2048)}`, "is over the limit of 2048 characters"],
  ])("%s is refused: %s", (text, refused) => {
    expect(parseProviderUrl(text, [])).toEqual({ refused });
  });

  const notPublic = "names an address that is not public; a private range needs allowAddresses, some are never allowed";

  test.each([
    "10.0.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "[::]",
    "[fd00::1]",
    "[::ffff:a9fe:a9fe]",
    "2852039166",
    "[64:ff9b::7f00:1]",
  ])("with the address %s is refused at once", (host) => {
    expect(parseProviderUrl(`https://${host}/`, [])).toEqual({ refused: notPublic });
  });

  test("with a private address is taken where the binding allows it, with metadata never", () => {
    expect(parseProviderUrl("https://10.1.2.3/", ["10.0.0.0/8"])).toEqual({ url: "https://10.1.2.3/" });
    expect(parseProviderUrl("https://100.100.100.200/", ["100.64.0.0/10"])).toEqual({ refused: notPublic });
  });

  test("once taken is taken again unchanged", () => {
    const hosts = fc.constantFrom(
      "crm.example.com",
      "127.1",
      "LOCALHOST",
      "8.8.8.8",
      "[2606:4700::1111]",
      "ａ.example",
    );
    fc.assert(
      fc.property(fc.constantFrom("http", "https"), hosts, fc.webPath(), (scheme, host, path) => {
        const first = parseProviderUrl(`${scheme}://${host}${path}`, []);
        if ("url" in first) expect(parseProviderUrl(first.url, [])).toEqual(first);
      }),
    );
  });
});
