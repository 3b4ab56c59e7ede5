import type { SuiteReport } from "./run-suite.ts";
import type { TestVerdict } from "./judge-test.ts";

/**
 * A suite as JUnit XML, as CI systems read it. An UNKNOWN test is an `error`: readers take a skipped one for fine, and it is
 * not. Without times: they would make two equal runs differ.
 */
export function renderJunit(project: string, { counts, tests }: SuiteReport): string {
  const numbers = `tests="${tests.length}" failures="${counts.FAILED}" errors="${counts.UNKNOWN}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${numbers}>`,
    `  <testsuite name=${quote(project)} ${numbers}>`,
    ...tests.map((verdict) => renderCase(project, verdict)),
    "  </testsuite>",
    "</testsuites>\n",
  ].join("\n");
}

function renderCase(project: string, { test, name, failures, warnings }: TestVerdict): string {
  const opening = `    <testcase classname=${quote(project)} name=${quote(name === null ? test : `${test}: ${name}`)}`;
  const parts = [
    ...failures.map(({ expected, got }) => {
      const message = quote(`expected ${expected}; got ${got}`);
      return `      <failure type="EXPECTATION" message=${message}/>`;
    }),
    ...warnings.map(({ code, says }) =>
      code === "INPUT_IGNORED"
        ? `      <system-out>${escape(says)}</system-out>`
        : `      <error type="${code}" message=${quote(says)}/>`,
    ),
  ];
  return parts.length === 0 ? `${opening}/>` : `${opening}>\n${parts.join("\n")}\n    </testcase>`;
}

/** What XML 1.0 can't hold, even escaped. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function quote(text: string): string {
  return `"${escape(text)}"`;
}

function escape(text: string): string {
  return text
    .replaceAll(NOT_IN_XML, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;")
    .replaceAll("\t", "&#9;");
}
