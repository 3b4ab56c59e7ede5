/** A generator of numbers from 0 below 1 that gives the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How the bytes of a page are lost: some of them other, the first half of them zero, or all of them noise. */
const WAYS = ["flipped", "zeroed", "noise"] as const;

/** Damages one to three pages of a store's bytes, in the way and at the places that the seed says. */
export function damagePages(
  bytes: Buffer,
  seed: number,
  pageSize = 4096,
): { readonly bytes: Buffer; readonly how: string } {
  const random = createRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const damaged = Buffer.from(bytes);
  const done: string[] = [];
  for (let round = pick(3); round >= 0; round -= 1) {
    const page = pick(Math.ceil(bytes.length / pageSize));
    const way = WAYS[pick(WAYS.length)] ?? "flipped";
    const start = page * pageSize;
    const length = Math.min(pageSize, damaged.length - start);
    done.push(`page ${page + 1} ${way}`);
    if (way === "zeroed") damaged.fill(0, start, start + Math.floor(length / 2));
    else if (way === "noise") for (let at = 0; at < length; at += 1) damaged[start + at] = pick(256);
    else
      for (let flips = 1 + pick(8); flips > 0; flips -= 1) {
        const at = start + pick(length);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << pick(8));
      }
  }
  return { bytes: damaged, how: done.join(", ") };
}
