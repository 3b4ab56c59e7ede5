import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { LOOPX_VERSION: JSON.stringify("0.0.0-test") },
  // A published package is tested from its source.
  ssr: { resolve: { conditions: ["@loopx/source", "module", "node", "development|production"] } },
  test: {
    // Vitest leaves one core to itself, which on two cores halves the pace.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          globalSetup: ["test/support/build-once.ts", "test/support/start-postgres.ts"],
          include: ["packages/*/test/**/*.test.ts", "test/contract/**/*.test.ts", "test/architecture/**/*.test.ts"],
          pool: "threads",
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          globalSetup: ["test/support/build-once.ts", "test/support/start-postgres.ts"],
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          globalSetup: ["test/support/build-once.ts"],
          include: ["test/browser/**/*.test.ts"],
          pool: "forks",
          // Each file has a browser of its own.
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          globalSetup: ["test/support/build-once.ts", "test/support/start-postgres.ts"],
          include: ["test/long/**/*.test.ts"],
          pool: "forks",
          fileParallelism: false,
          maxConcurrency: 2,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
