import { toInstant } from "@loopx/contracts";
import { openPostgres, parsePostgresUrl } from "@loopx/store/postgres";
import { TRACE_MIGRATIONS } from "../../src/trace/trace-schema.ts";
import { createTraceStore, openTraceStore } from "../../src/trace/trace-store.ts";
import { createRing, createTrace } from "./sample-trace.ts";

const [place = "", writer = "", count = "0"] = process.argv.slice(2);
const { STORE_URL: url = "" } = process.env;
const now = () => toInstant(Date.now());
const recording = { writer, ring: createRing(), audit: "best_effort", now } as const;
const store =
  url === ""
    ? await openTraceStore({ path: place, ...recording })
    : createTraceStore(
        await openPostgres({
          address: parsePostgresUrl(url, "store"),
          schema: place,
          label: "the trace store",
          access: "write",
          migrations: TRACE_MIGRATIONS,
          create: true,
          now,
        }),
        recording,
      );
for (let number = 1; number <= Number(count); number += 1) {
  await store.record(createTrace({ id: `${writer}-${number}` }));
  if (number % 7 === 0) await store.flush();
}
await store.close();
process.stdout.write(JSON.stringify(store.status));
