import { describe, expect, test } from "vitest";
import { createCircuit, type Circuit } from "../../src/providers/circuit.ts";

interface World {
  readonly circuit: Circuit;
  setMs(nowMs: number): void;
}

function createWorld(): World {
  let nowMs = 0;
  const clock = { now: () => "2026-10-09T12:00:00.000Z" as never, monotonicMs: () => nowMs };
  return {
    circuit: createCircuit(clock, { failureCount: 3, coolDownMs: 1000 }),
    setMs: (ms) => {
      nowMs = ms;
    },
  };
}

function fail(circuit: Circuit, count: number): void {
  for (let at = 0; at < count; at += 1) circuit.recordFailure();
}

describe("a circuit", () => {
  test("opens after that many failures without an answer in between", () => {
    const { circuit } = createWorld();
    fail(circuit, 2);
    circuit.recordAnswer();
    fail(circuit, 2);
    expect([circuit.state, circuit.mayCall()]).toEqual(["closed", true]);
    fail(circuit, 1);
    expect([circuit.state, circuit.mayCall()]).toEqual(["open", false]);
  });

  test("lets one call through after the cool-down, and no other before its end or a cool-down more", () => {
    const { circuit, setMs } = createWorld();
    fail(circuit, 3);
    setMs(999);
    expect(circuit.mayCall()).toBe(false);
    setMs(1000);
    expect(circuit.state).toBe("half_open");
    expect([circuit.mayCall(), circuit.mayCall()]).toEqual([true, false]);
    setMs(2000);
    expect([circuit.mayCall(), circuit.mayCall()]).toEqual([true, false]);
  });

  test("closes with an answer and opens again with one more failure", () => {
    const { circuit, setMs } = createWorld();
    fail(circuit, 3);
    setMs(1000);
    circuit.mayCall();
    fail(circuit, 1);
    expect(circuit.state).toBe("open");
    setMs(2000);
    circuit.mayCall();
    circuit.recordAnswer();
    expect([circuit.state, circuit.mayCall(), circuit.mayCall()]).toEqual(["closed", true, true]);
  });
});
