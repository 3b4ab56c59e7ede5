import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** One call as it came in. */
export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** What the provider sends back. A body that is no text is sent as JSON. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly delayMs?: number;
}

/** A real HTTP server on loopback that answers as a test says. */
export interface ScriptedProvider {
  readonly url: string;
  readonly calls: ReceivedCall[];
  answer: (call: ReceivedCall) => ScriptedAnswer;
  stop(): Promise<void>;
}

export async function startScriptedProvider(answer: ScriptedProvider["answer"]): Promise<ScriptedProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const call = { method, url, headers, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown };
      provider.calls.push(call);
      const { status = 200, headers: extra = {}, body = "", delayMs = 0 } = provider.answer(call);
      const send = (): void => {
        response.writeHead(status, { "content-type": "application/json", ...extra });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      };
      // Without a hold on the process: a test that has ended waits for no answer.
      setTimeout(send, delayMs).unref();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const provider: ScriptedProvider = {
    url: `http://127.0.0.1:${port}/context`,
    calls: [],
    answer,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return provider;
}

/** An answer of the contract with these items. */
export function answerWith(...items: readonly object[]): ScriptedAnswer {
  return {
    body: { contract: "context-provider.v1", version: "5.0.1", revision: "crm-r9", currentness: "CURRENT", items },
  };
}
