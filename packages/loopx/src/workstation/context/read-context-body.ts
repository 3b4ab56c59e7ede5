import { LoopxError } from "@loopx/contracts";
import { readJsonBody } from "@loopx/runtime-context";

/** The JSON object in a request. Refuses as `readJsonBody`, and with `invalid_value` any other document. */
export async function readContextBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJsonBody(request);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new LoopxError("invalid_value", { message: "the request takes a JSON object" });
}
