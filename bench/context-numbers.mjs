// Arithmetic on samples.
export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Medians of interleaved rounds, milliseconds: each round calls every case once, so a drifting machine hits all alike. */
export async function measureRounds(rounds, cases) {
  const samples = cases.map(() => []);
  // The first round compiles and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    for (const [at, work] of cases.entries()) {
      const began = performance.now();
      await work();
      if (round >= 0) samples[at].push(performance.now() - began);
    }
  }
  return samples.map(median);
}
