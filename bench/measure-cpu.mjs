// CPU of whole child processes, measured in interleaved rounds so that a drifting machine hits every row alike.
import { spawnSync } from "node:child_process";

/**
 * Medians over `rounds`. Each case's `prepare` makes the next call's argv, environment and folder; only the call itself is
 * measured. Node reports the resource use of ended children as one running total, so a difference is one child's.
 */
export function measureRatios(node, rounds, cases) {
  const floor = [];
  const samples = cases.map(() => []);
  runMeasured(node, { argv: ["-e", "0"] });
  for (let round = 0; round < rounds; round += 1) {
    floor.push(runMeasured(node, { argv: ["-e", "0"] }));
    for (const [at, one] of cases.entries()) {
      const call = one.prepare();
      samples[at].push(runMeasured(node, call));
    }
  }
  const floorMs = median(floor);
  const rows = cases.map((one, at) => ({
    name: one.name,
    cpuMs: median(samples[at]),
    ratio: median(samples[at]) / floorMs,
  }));
  return { floorMs, rows };
}

function runMeasured(node, call) {
  // bash prints the user and system time of its ended children to the millisecond; dash only to ten.
  const script = '"$@" >/dev/null 2>"$LOOPX_BENCH_ERRORS"; code=$?; times; exit $code';
  const { status, stdout } = spawnSync("bash", ["-c", script, "bash", node, ...call.argv], {
    cwd: call.cwd,
    env: { ...(call.env ?? process.env), LOOPX_BENCH_ERRORS: "/dev/null" },
    encoding: "utf8",
    input: call.input ?? "",
  });
  if (status !== 0) throw new Error(`${call.argv.slice(1, 4).join(" ")} ended with ${status}`);
  const children = stdout.trim().split("\n").at(-1);
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1000,
    0,
  );
}

function median(values) {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}
