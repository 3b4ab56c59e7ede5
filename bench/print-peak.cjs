// Loaded before a program: at its end, peak memory in bytes and CPU in ms to the file that LOOPX_BENCH_PEAK names.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { peakBytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(process.env.LOOPX_BENCH_PEAK, JSON.stringify(usage));
});
