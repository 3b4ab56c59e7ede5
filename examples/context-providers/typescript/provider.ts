// Customer data as a provider of context-provider.v1, with the kit.
//
//   npm install loopx-provider-sdk
//   PROVIDER_TOKEN=a-secret-of-mine node --experimental-strip-types provider.ts 8787
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { checkBearer, defineContextProvider, toNodeListener, type ContextItem } from "loopx-provider-sdk";

const customers: Readonly<Record<string, ContextItem>> = {
  "CUST-1042": {
    id: "CUST-1042",
    title: "Current account state",
    content: "On the Enterprise plan since May; pays by invoice.",
    metadata: { plan: "Enterprise" },
    updatedAt: "2026-10-08",
  },
};

const handle = defineContextProvider({
  authorise: checkBearer(process.env["PROVIDER_TOKEN"]),
  describe: () => ({ version: "1.0.0" }),
  lookup: ({ value }) => {
    const customer = Object.hasOwn(customers, value) ? customers[value] : undefined;
    return customer && { items: [customer], currentness: "CURRENT", revision: "crm-r9" };
  },
});

// Other servers take `handle` as it is: Deno.serve(handle), Bun.serve({ fetch: handle }), export default { fetch: handle }.
const server = createServer(toNodeListener(handle));
server.listen(Number(process.argv[2] ?? 8787), "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/context\n`);
});
