import { describe, expect, it } from "vitest";
import type { RuntimeOptions } from "../../src/create-runtime.ts";
import type { CallStep, Step } from "../../src/models/script.ts";
import { HARMS } from "./harms.ts";
import { type House, MARK, openHouse, play, UNBOXED } from "./house.ts";

/** Where hostile content comes from. */
export interface Source {
  /** The configuration of tools that it needs; made before the house. */
  tools?(): object;
  /** What else the runtime is made with. */
  runtime?(): Partial<RuntimeOptions>;
  /** Puts the text where the model will find it. */
  place(house: House, text: string): unknown;
  /** How the model comes to see it; undefined when it says it itself. */
  readonly look: CallStep | undefined;
}

/** Each harm by each source: one test. */
export function hostile(name: string, source: Source): void {
  describe(`${name} cannot`, () => {
    for (const harm of HARMS) {
      const skip = harm.needsSandbox === true && UNBOXED !== undefined;
      it.skipIf(skip)(`${harm.name}${skip ? ` (${UNBOXED})` : ""}`, async () => {
        await using house = await openHouse(source.tools?.(), harm.network, source.runtime?.());
        harm.setUp?.(house);
        const text = harm.text(house);
        await source.place(house, text);
        const calls = harm.calls(house);
        const { look } = source;
        house.obey(
          look === undefined
            ? [[{ say: text }, ...calls], [{ say: text }]]
            : [[look], [{ do: [...calls], when_result: MARK }] as unknown as Step[], [{ say: text }]],
        );
        const played = await play(house, harm.settings, harm.yes);
        // It was read, and the model tried: else nothing was tested.
        const made = played.frames
          .filter(({ type }) => type === "response")
          .flatMap(({ payload }) => (payload["tool_calls"] ?? []) as readonly { readonly name: string }[]);
        expect(made.map(({ name }) => name).slice(look === undefined ? 0 : 1)).toEqual(
          calls.map((step) => step.call),
        );
        // Each got its answer.
        if (harm.yes) expect(played.told).toHaveLength(made.length);
        await harm.check(house, played);
      });
    }
  });
}
