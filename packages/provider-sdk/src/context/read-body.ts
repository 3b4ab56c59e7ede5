/** A request of the contract is some hundred bytes. */
const MAX_BYTES = 16_384;

/** The body as text; undefined where it is larger than any request. Stops reading there. */
export async function readBody(request: Request): Promise<string | undefined> {
  if (request.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: false });
  let text = "";
  let byteCount = 0;
  for await (const chunk of request.body) {
    byteCount += chunk.length;
    if (byteCount > MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
