import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { containsCredential, describeContents, findSensitive, redact, redactDeep } from "../src/redaction.ts";

const PATH = "<local-path-redacted>";
const CREDENTIAL = "<credential-redacted>";

describe("local paths", () => {
  test.each([
    ["see /home/alice/x.ts:12, and /tmp.", `see ${PATH}, and ${PATH}.`],
    ["PATH=/usr/bin:/home/a/bin", `PATH=${PATH}`],
    ["cd /workspace && ls", `cd ${PATH} && ls`],
    ["/root/a /opt/b /mnt/c /srv/d /etc/e /var/f /private/g /data/h", Array(8).fill(PATH).join(" ")],
    ["[x](/home/a/b.ts)", `[x](${PATH})`],
    ["open /home/a/app/(group)/[id]/page.tsx!", `open ${PATH}!`],
    ["gcc -I/usr/include/x", `gcc -I${PATH}`],
    ["请看/home/alice/项目，谢谢", `请看${PATH}，谢谢`],
    ["~/secret/x", PATH],
    ["file:///home/alice/x and file://localhost/etc/x", `${PATH} and ${PATH}`],
    ["C:\\Users\\First Last\\x and D:/a/b", `${PATH} and ${PATH}`],
    ["C:/Program Files/Git/loopx", PATH],
    [String.raw`\\server\share\x`, PATH],
    [String.raw`{"root":"C:\\Users\\a"}`, `{"root":"${PATH}"}`],
    ["https://example.com/?file=/home/a/x", `https://example.com/?file=${PATH}`],
  ])("are masked: %s", (text, masked) => {
    expect(redact(text).text).toBe(masked);
  });

  test.each([
    ['cat "/Users/First Last/x y.txt" now', `cat "${PATH}" now`],
    ["cat '/home/a b/c'", `cat '${PATH}'`],
    [String.raw`"{\"cwd\":\"/Users/First Last/x\"}"`, String.raw`"{\"cwd\":\"${PATH}\"}"`],
    [String.raw`/Users/a/My\ File/x y`, `${PATH} y`],
  ])("with spaces are masked whole when quoted or escaped: %s", (text, masked) => {
    expect(redact(text).text).toBe(masked);
  });

  test.each([
    ["open /home/bob/My Secret Project/file.txt now", `open ${PATH} now`],
    ["/Users/ada/Library/Application Support/Code/User", PATH],
    ["~/My Documents/Tax 2026/a.pdf, and more", `${PATH}, and more`],
    ["file:///home/bob/Über Änderung/x.md", PATH],
    ["in /home/bob/Secret Project/src\nnext", `in ${PATH}\nnext`],
  ])("with spaces are masked whole where the words go on as folders: %s", (text, masked) => {
    expect(redact(text).text).toBe(masked);
  });

  test.each([
    ["copy /home/bob/app to docs/b.txt", `copy ${PATH} to docs/b.txt`],
    ["cp /home/bob/a.txt Docs/b.txt", `cp ${PATH} Docs/b.txt`],
    ["read /var/lib/x I/O error", `read ${PATH} I/O error`],
    ["/home/bob/app React/Vue works", `${PATH} React/Vue works`],
    ["it is in /home/bob/app. See Docs/b.txt", `it is in ${PATH}. See Docs/b.txt`],
    ["under /tmp Docs/b.txt", `under ${PATH} Docs/b.txt`],
    ["/home/bob/app The Other Thing", `${PATH} The Other Thing`],
  ])("do not take the sentence with them: %s", (text, masked) => {
    expect(redact(text).text).toBe(masked);
  });

  test.each([
    "https://h/tmp/x and http://[::1]:80/home/a and s3://b/data/x",
    "/loopx fix it; /loopx-global-status",
    "./tmp/x ../home/x src/var/x a/b and/or x~/y",
    "GET /api/v1/users, /home and /data/",
    "import x from '@/home/x'",
    "${X}/tmp/x $(pwd)/tmp/x **/tmp/x #/home/x",
    "/opt-in, /tmpfile, /users/1, s/a/b/, a:/b",
  ])("are not found in %s", (text) => {
    expect(redact(text)).toEqual({ text, found: { local_path: 0, credential: 0 } });
  });
});

describe("credentials", () => {
  test.each([
    ["github_token", `ghp_${"a1B2".repeat(9)}`],
    ["github_token", "github_pat_11ABCDEFG0123456789_abcdef"],
    ["gitlab_token", "glpat-abcdefghij1234567890"],
    ["slack_token", "xoxb-123456789012-abcdef"],
    ["slack_webhook", "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX"],
    ["aws_access_key", "AKIAIOSFODNN7EXAMPLE"],
    ["aws_access_key", "ASIAIOSFODNN7EXAMPLE"],
    ["google_key", "AIzaSyA1234567890abcdefghijklmnopqrstuv"],
    ["secret_key", "sk-abcdefghijklmnopqrstuvwxyz"],
    ["secret_key", "sk-ant-api03-abcdef1234567890"],
    ["secret_key", "sk-proj-abcdefghijklmnopqrst"],
    ["stripe_key", "sk_live_abcdef123456"],
    ["npm_token", `npm_${"a1B2".repeat(9)}`],
    ["pypi_token", "pypi-AgEIcHlwaS5vcmcCJDAx"],
    ["json_web_token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"],
    ["hugging_face_token", `hf_${"aB3d".repeat(9)}`],
    ["authorization_header", "Authorization: Bearer abc123def456ghi789"],
    ["authorization_header", "Authorization: Basic dXNlcjpwYXNz"],
    ["authorization_header", "curl -H 'Authorization: token abc12345'"],
    ["bearer_token", "Bearer abcdefghijklmnop"],
    ["basic_auth", "Basic YWxhZGRpbjpvcGVuc2VzYW1l"],
    ["cookie_header", "Cookie: session=abcdef123456"],
    ["credential_assignment", "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["credential_assignment", "password=hunter2"],
    ["credential_assignment", "password: hunter2"],
    ["credential_assignment", "DB_PASSWORD=correcthorse"],
    ["credential_assignment", "passphrase=correct-horse-battery-staple"],
    ["credential_assignment", "token=abcdef123456"],
    ["credential_assignment", 'API_KEY = "abc,12;345"'],
    ["credential_assignment", String.raw`{\"password\":\"hunter22\"}`],
    ["credential_assignment", "Server=x;User Id=a;Password=abc123!;"],
    ["credential_assignment", "AccountKey=abcdEFGH1234567890=="],
    ["credential_assignment", "ak=abcd1234efgh"],
    ["credential_assignment", "密码：abc123def"],
    ["credential_flag", "--password hunter22"],
    ["user_flag", "curl -u alice:hunter2 https://h"],
    ["url_userinfo", "https://user:pass@example.com/x"],
    ["url_userinfo", "postgres://app:s3cret@db:5432/x"],
    ["private_key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----"],
    ["private_key", String.raw`-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----`],
    ["private_key", "a cut one:\n-----BEGIN OPENSSH PRIVATE KEY-----"],
    ["private_key_end", "MIIEvQIBADANBgkq\nhkiG9w0BAQ==\n-----END PRIVATE KEY-----"],
    ["private_key_end", String.raw`"key":"MIIEvQIBADANBgkq\nhkiG9w0BAQ==\n-----END EC PRIVATE KEY-----\n"`],
    ["private_key_end", "  MIIEvQIBADANBgkq\r\n  hkiG9w0BAQ==\r\n  -----END RSA PRIVATE KEY-----"],
  ])("are found by rule %s: %s", (rule, text) => {
    expect(containsCredential(text)).toBe(rule);
    expect(redact(text).found.credential).toBe(1);
  });

  test("are masked and their surroundings kept", () => {
    expect(redact('run --key x with "token": "abcdef123456", then https://u:p@h/x.').text).toBe(
      `run --key x with "token": "${CREDENTIAL}", then https://${CREDENTIAL}@h/x.`,
    );
    expect(redact("log: a line\nMIIEvQIBADANBgkq\nhkiG9w0B\n-----END PRIVATE KEY-----\nb").text).toBe(
      `log: a line\n${CREDENTIAL}\nb`,
    );
    expect(redact("a\n-----BEGIN PRIVATE KEY-----\nMIIEabcd\n-----END PRIVATE KEY-----\nb").text).toBe(
      `a\n${CREDENTIAL}\nb`,
    );
  });

  test.each([
    "rotate the API key",
    "my password policy",
    "password: see vault",
    "token= is a query parameter",
    "add an Authorization: header and a Bearer token",
    "Bearer authentication/authorization is broken",
    "Basic authentication needs a basic understanding",
    "look for -----BEGIN PRIVATE KEY----- in files, refuse `-----BEGIN PRIVATE KEY-----`",
    "the file ends with\n-----END PRIVATE KEY-----\nand nothing else",
    "password: min 8 chars; password: 8-character minimum; password: 1Password",
    "token: base64url-encoded, token: sha256 hashed, secret: ABC-1234, secret: 2026-12-01",
    "max_tokens=4096 and token: 200000 and password != null",
    "parse `key=value` pairs; what does password=foo mean",
  ])("are not found in prose: %s", (text) => {
    expect(containsCredential(text)).toBeUndefined();
  });

  test.each([
    "password=<your-password>",
    "token=$TOKEN api_key=${API_KEY} secret=%SECRET% password={{password}}",
    "token: env:FOO_BAR_1 secret=vault:kv/app1 password=op://vault/item1",
    "password=**** password=xxxxxxxx token=..........",
    "secret=your-secret-here api_key=example-key-123",
    "Authorization: Bearer $TOKEN, Authorization: Bearer <token>",
    "https://user:$PASS@h https://<user>:<pass>@h ssh://git@github.com/a/b",
    `password=${CREDENTIAL} token=${PATH}`,
  ])("are not found in placeholders and references: %s", (text) => {
    expect(containsCredential(text)).toBeUndefined();
  });

  test.each([
    "const token = getToken(); token = req.headers.token; apiKey: process.env.API_KEY",
    "token: string; password: z.string().min(8); token=required; password: 'required'",
    "set token=userToken, secret=clientSecret, api_key=my_api_key2, secret: my-app-secret-v2",
    "credentials: 'same-origin', secretName: my-secret-2024, pwd=$(pwd), pwd=/srv/x",
    "task-1234567890ab sk-fading-circle12 pypi-package-publisher-action npm_config_registry=x",
    "docker run -u 1000:1000 x --token TOKEN --password-file /run/secrets/x",
  ])("are not found in code: %s", (text) => {
    expect(containsCredential(text)).toBeUndefined();
  });
});

test("describeContents names each kind once, sorted", () => {
  expect(describeContents("password=hunter2 in /home/a/x and /home/b/y")).toEqual(["credential", "local_path"]);
  expect(describeContents("in /home/a/x")).toEqual(["local_path"]);
  expect(describeContents("plain")).toEqual([]);
});

test("findings are offsets into the text and name their rule", () => {
  expect(findSensitive("a /tmp/x token=abcdef123456")).toEqual([
    { kind: "local_path", rule: "posix_path", start: 2, end: 8 },
    { kind: "credential", rule: "credential_assignment", start: 15, end: 27 },
  ]);
});

describe("redactDeep", () => {
  test("masks strings and keys anywhere and keeps structure", () => {
    expect(redactDeep({ n: 1, list: ["/home/a/x", null, true], "/tmp/k": { t: "password=hunter2" } })).toEqual({
      n: 1,
      list: [PATH, null, true],
      [PATH]: { t: `password=${CREDENTIAL}` },
    });
  });

  test("keeps members whose keys mask to the same text apart", () => {
    expect(redactDeep({ "/tmp/a": 1, "/tmp/b": 2 })).toEqual({ [PATH]: 1, [`${PATH}#2`]: 2 });
  });

  test("masks what stands under a credential's name", () => {
    expect(redactDeep({ apiKey: "zzTopp12345", password: "hunter2", token: "required" })).toEqual({
      apiKey: CREDENTIAL,
      password: CREDENTIAL,
      token: "required",
    });
  });

  test("ends on cycles and on any depth, and pollutes no prototype", () => {
    const cyclic: Record<string, unknown> = { shared: "/tmp/a" };
    cyclic["self"] = cyclic;
    expect(redactDeep(cyclic)).toEqual({ shared: PATH, self: "[cycle]" });

    let deep: unknown = "/tmp/x";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactDeep(deep))).toContain("[too deep]");

    const hostile: unknown = redactDeep(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify(hostile)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype);
  });
});

/** Beginnings, ends and separators of every rule, so that random texts glue findings to one another. */
const FRAGMENTS = [
  ...String.raw` "'<>,;()[]{}|&=:?!.#@~/\-_+%$*，。aZ09é中`.split(""),
  "\n",
  "\t",
  "`",
  "/tmp",
  "/home/",
  "/Users/a b/",
  "/home/ada/My",
  " Secret",
  " Project/",
  "~/x",
  "C:\\Users\\",
  "D:/a",
  "\\\\srv\\share",
  "file:///",
  "https://h",
  "https://u:p@",
  "://",
  "password=",
  "token: ",
  "api_key = ",
  "secret=>",
  "--token ",
  "-u a:",
  "&sig=",
  "ak=",
  "Authorization: ",
  "Bearer ",
  "Basic ",
  "cookie: a=",
  "dXNlcjpwYXNz",
  "hunter22",
  "abcdefghijklmnopqrst",
  "config.value",
  "$TOKEN",
  "env:",
  "ghp_AAAAAAAAAAAAAAAAAAAA",
  "AKIAIOSFODNN7EXAMPLE",
  "sk-abcdefghij1234567",
  "eyJhbGciOiJI.eyJz",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----",
  "MIIEvQIBADANBgkqhkiG9w0BAQ",
  PATH,
  CREDENTIAL,
];

const gluedText = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FRAGMENTS) }, { weight: 1, arbitrary: fc.string() }), {
    maxLength: 14,
  })
  .map((parts) => parts.join(""));

describe("for any text", () => {
  test("redacting twice is redacting once, and nothing is left to find", () => {
    fc.assert(
      fc.property(gluedText, (text) => {
        const once = redact(text).text;
        expect(findSensitive(once)).toEqual([]);
        expect(redact(once).text).toBe(once);
      }),
      { numRuns: 20_000 },
    );
  });

  test("findings are ordered, apart, within the text, and all else is kept", () => {
    fc.assert(
      fc.property(gluedText, (text) => {
        const findings = findSensitive(text);
        let offset = 0;
        let rebuilt = "";
        for (const finding of findings) {
          expect(finding.start).toBeGreaterThanOrEqual(offset);
          expect(finding.end).toBeGreaterThan(finding.start);
          rebuilt += text.slice(offset, finding.start) + (finding.kind === "credential" ? CREDENTIAL : PATH);
          offset = finding.end;
        }
        expect(offset).toBeLessThanOrEqual(text.length);
        expect(redact(text).text).toBe(rebuilt + text.slice(offset));
      }),
      { numRuns: 5000 },
    );
  });

  test("the generator reaches both kinds and texts without any", () => {
    const kinds = fc.sample(gluedText, { numRuns: 1000, seed: 1 }).map((text) => describeContents(text).join("+"));
    for (const kind of ["", "credential", "local_path", "credential+local_path"]) {
      expect(kinds.filter((candidate) => candidate === kind).length).toBeGreaterThan(20);
    }
  });
});

describe("what invisible characters split", () => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const strip = (from: string): string => HIDDEN.reduce((left, hidden) => left.replaceAll(hidden, ""), from);
  const HIDDEN = ["\u200b", "\u2060", "\u00ad", "\u202e", "\ufe0f", "\u200d", "\ue000", "\u{e0041}"];

  test.each(HIDDEN)("is found, and masked with them: %j", (hidden) => {
    for (const at of [1, 3, 4, 12]) {
      const split = `see ${token.slice(0, at)}${hidden}${token.slice(at)}, ${hidden}/ho${hidden}me/alice now`;
      expect(redact(split).text).toBe(`see ${CREDENTIAL}, ${hidden}${PATH} now`);
    }
  });

  test("is found wherever they stand, as without them, and what stands beside it stays", () => {
    const piece = fc.constantFrom(...HIDDEN, token, "/home/alice/x", "a b", " ", "=", "password", "ü", "日本");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        expect(strip(redact(text).text)).toBe(redact(strip(text)).text);
        expect(redact(redact(text).text).text).toBe(redact(text).text);
      }),
      { numRuns: 1000 },
    );
  });
});
