import type { CommandRecord } from "./command-spec.ts";
import { BINDING, CONSUMER, FILTER, INPUT, OBJECTIVE, PROFILE } from "./context-flags.ts";

/** A Context Project on disk: written, checked, built, compared and tested, without a provider. */
export const CONTEXT_PROJECT_COMMANDS = {
  "context init": {
    summary: "Write a Context Project, its binding, keys and a sample database",
    details: "Binding, keys and database lie outside the project: it holds no endpoint, secret or database path.",
    authority: "agent",
    flags: {
      output: { type: "path", placeholder: "DIR", describe: "folder of the new project", required: true },
      id: { type: "text", placeholder: "ID", describe: "id of the new project", required: true },
      bindingDir: { type: "path", placeholder: "DIR", describe: "folder of the binding, instead of the LoopX home" },
    },
    examples: ["loopx context init --output support-desk --id support-desk"],
  },
  "context guide": {
    summary: "Print the guide: an own project, provider and binding in ten minutes",
    authority: "read",
    flags: {},
    examples: ["loopx context guide"],
  },
  "context schema": {
    summary: "Print a JSON Schema, for editors and programs",
    details: "context init puts those of project and binding beside the files that name them in $schema.",
    authority: "read",
    flags: {},
    positional: {
      placeholder: "NAME",
      describe: "a Context Project, a Deployment Binding, what POST /v1/turns takes, or what a turn answers",
      choices: ["project", "binding", "turn-request", "turn"],
      required: true,
    },
    examples: ["loopx context schema project"],
  },
  "context check": {
    summary: "Explain every fault in a Context Project and its binding",
    details: "The project is the folder that --project names, or the current one.",
    authority: "read",
    flags: { binding: BINDING },
    examples: ["loopx context check --project support-desk --binding support-desk"],
  },
  "context build": {
    summary: "Pin a Context Project to a build, the same bytes on any machine",
    details:
      "The project is the folder that --project names, or the current one. The link `current` beside the builds leads to the " +
      "one made last; it is moved in one step.",
    authority: "agent",
    flags: {
      output: {
        type: "path",
        placeholder: "DIR",
        describe: "folder that gets build-<digest> and current",
        required: true,
      },
    },
    examples: ["loopx context build --project support-desk --output builds"],
  },
  "context diff": {
    summary: "Say what changes for a turn from one build to another",
    authority: "read",
    flags: {
      from: { type: "path", placeholder: "BUILD", describe: "the build in use", required: true },
      to: { type: "path", placeholder: "BUILD", describe: "the build that takes its place", required: true },
    },
    examples: ["loopx context diff --from builds/build-0f3a5c7e9b1d --to builds/build-2b4d6f8a0c1e"],
  },
  "context preview": {
    summary: "Show what a turn would select and render, with the tests' fixtures",
    details:
      "The project is the folder that --project names, or the current one. A fixture answers for the lookup value of its test; " +
      "where tests differ none is taken. No provider is called and nothing is kept.",
    authority: "read",
    flags: {
      objective: { ...OBJECTIVE, required: true },
      consumer: { ...CONSUMER, required: true },
      profile: PROFILE,
      input: INPUT,
      test: { type: "text", placeholder: "ID", describe: "take the fixtures of this test where tests differ" },
    },
    examples: [
      "loopx context preview --project support-desk --objective answer-ticket --consumer support-agent --input customerId=CUST-1042",
    ],
  },
  "context regress": {
    summary: "Run a project's tests on two builds and explain what changed",
    details:
      "The tests are those of the folder that --project names, or the current one. Exit code 0: no test that passed fails; " +
      "1: one does; 4: none does, and one is UNKNOWN, such as one without a fixture. With --live the providers of the " +
      "binding are asked by the tests' values instead of fixtures.",
    authority: "agent",
    flags: {
      baseline: { type: "path", placeholder: "BUILD", describe: "the build in use", required: true },
      candidate: { type: "path", placeholder: "BUILD", describe: "the build that takes its place", required: true },
      filter: FILTER,
      report: { type: "text", placeholder: "json=FILE", describe: "write every test's changes", repeatable: true },
      live: { type: "boolean", describe: "ask the real providers; needs --binding" },
      binding: BINDING,
    },
    examples: [
      "loopx context regress --project support-desk --baseline builds/build-0f3a5c7e9b1d --candidate builds/current",
    ],
  },
  "context test": {
    summary: "Run a Context Project's tests on their fixtures, without a network",
    details:
      "The project is the folder that --project names, or the current one. Exit code 0: every test passed; 1: one failed; " +
      "4: none failed, and one is UNKNOWN, such as one without a fixture for a provider that would be asked.",
    authority: "agent",
    flags: {
      filter: FILTER,
      report: {
        type: "text",
        placeholder: "KIND=FILE",
        describe: "write a report: junit=FILE or json=FILE",
        repeatable: true,
      },
      update: {
        type: "boolean",
        describe: "say which golden digests changed and accept them, in tests where nothing else fails",
      },
      watch: { type: "boolean", describe: "run again whenever a file of the project changes, until SIGINT or SIGTERM" },
    },
    examples: [
      "loopx context test --project support-desk",
      "loopx context test --filter order --report junit=tests.xml",
    ],
  },
} as const satisfies CommandRecord;
