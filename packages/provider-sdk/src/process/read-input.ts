/** All bytes until the end of a stream; once there are more than `maxBytes`, those it has by then. */
export async function readInput(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    byteCount += chunk.length;
    if (byteCount > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
