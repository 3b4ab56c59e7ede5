import { toInstant } from "@loopx/contracts";
import { openTraceStore } from "../../src/trace/trace-store.ts";
import { createRing, createTrace } from "./sample-trace.ts";

const [path = "", writer = "", count = "0"] = process.argv.slice(2);
const store = await openTraceStore({
  path,
  writer,
  ring: createRing(),
  audit: "best_effort",
  now: () => toInstant(Date.now()),
});
for (let number = 1; number <= Number(count); number += 1) {
  await store.record(createTrace({ id: `${writer}-${number}` }));
  if (number % 7 === 0) await store.flush();
}
await store.close();
process.stdout.write(JSON.stringify(store.status));
