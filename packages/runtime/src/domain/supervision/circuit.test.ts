import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Circuit, enter, failed, NEW_CIRCUIT, succeeded } from "./circuit.ts";

const LIMITS = { failures: 3, pauseMs: 100 };

describe("a circuit", () => {
  test("opens after failures in a row, lets one question through after the pause, and closes with an answer", () => {
    let circuit: Circuit = NEW_CIRCUIT;
    for (let i = 0; i < 3; i++) {
      expect(enter(circuit, 0).may).toBe(true);
      circuit = failed(circuit, 0, LIMITS);
    }
    expect(circuit).toMatchObject({ state: "open", until: 100 });
    expect(enter(circuit, 99).may).toBe(false);
    const probe = enter(circuit, 100);
    expect(probe).toMatchObject({ may: true, circuit: { state: "half_open" } });
    expect(enter(probe.circuit, 100).may).toBe(false);
    expect(failed(probe.circuit, 100, LIMITS)).toMatchObject({ state: "open", until: 200 });
    expect(succeeded()).toEqual(NEW_CIRCUIT);
  });

  test("an answer in between begins the count anew", () => {
    const twice = failed(failed(NEW_CIRCUIT, 0, LIMITS), 0, LIMITS);
    expect(twice).toEqual({ state: "closed", failures: 2 });
    expect(failed(succeeded(), 0, LIMITS)).toEqual({ state: "closed", failures: 1 });
  });

  test("whatever happens: never asked while open, and never shut for good", () => {
    const step = fc.record({ wait: fc.nat(200), answers: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let circuit: Circuit = NEW_CIRCUIT;
        let now = 0;
        for (const { wait, answers } of steps) {
          now += wait;
          const open = circuit.state === "open" && now < circuit.until;
          const entered = enter(circuit, now);
          expect(entered.may).toBe(!open);
          circuit = entered.circuit;
          if (entered.may) circuit = answers ? succeeded() : failed(circuit, now, LIMITS);
        }
        expect(enter(circuit, now + LIMITS.pauseMs).may).toBe(true);
      }),
    );
  });
});
