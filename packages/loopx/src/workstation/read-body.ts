import { LoopxError } from "@loopx/contracts";
import { readJsonBody } from "@loopx/runtime-context";

/** The JSON object in a request. Refuses with `invalid_value` and `text_too_long`. */
export async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJsonBody(request);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new LoopxError("invalid_value", { message: "the request's body must be a JSON object" });
}
