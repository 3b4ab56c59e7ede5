import { isUtf8 } from "node:buffer";
import { LoopxError, parseStrictJson } from "@loopx/contracts";

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 8;

/** The JSON document in a request, read to at most 256 KiB. Refuses with `invalid_value` and `text_too_long`. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json(;\s*charset=utf-8)?$/i.test(type)) {
    throw new LoopxError("invalid_value", {
      message: "the request's content type must be application/json",
      details: { field: "content-type" },
    });
  }
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new LoopxError("invalid_value", {
      message: "the request's body must not be encoded: no content-encoding is taken",
      details: { field: "content-encoding" },
    });
  }
  const bytes = await readBytes(request);
  if (!isUtf8(bytes)) throw new LoopxError("invalid_value", { message: "the request is not UTF-8 text" });
  return parseStrictJson(bytes.toString("utf8"), { maxDepth: MAX_DEPTH, field: "the request" });
}

async function readBytes(request: Request): Promise<Buffer> {
  const declared = request.headers.get("content-length");
  if (declared === null) return readStream(request);
  if (Number(declared) > MAX_BYTES) throw tooLong();
  // Node ends a request with the length it declares. Read whole, it costs a fraction of what its stream does.
  const bytes = Buffer.from(await request.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw tooLong();
  return bytes;
}

async function readStream(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(): LoopxError {
  return new LoopxError("text_too_long", { message: `the request is over ${MAX_BYTES / 1024} KiB` });
}
