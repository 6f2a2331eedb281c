import type { AnyEvent } from "@fairlead/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEncoder } from "../../src/server/sse/encode.ts";
import { viewOfStream } from "../../src/server/sse/view.ts";

function event(seq: number, type = "agent.output.delta", text = "x"): AnyEvent {
  return {
    id: `evt_${seq}`,
    seq,
    stream: "ses_1",
    at: "2026-01-01T00:00:00.000Z",
    type,
    v: 1,
    turn_id: null,
    agent_id: null,
    cause: null,
    owner: "agent",
    data: { text },
  } as AnyEvent;
}

const view = viewOfStream("frontend", undefined);
const quiet = viewOfStream("frontend", "default");

/** All frames of the batches, each batch read to its end. What lies between them is said apart. */
function bytesOf(
  encoder: ReturnType<typeof createEncoder>,
  batches: readonly (readonly AnyEvent[])[],
  of = view,
): string {
  let text = "";
  for (const batch of batches) {
    for (let from = 0; from < batch.length;) {
      const chunk = encoder.next(of, batch, from);
      text += chunk.bytes?.toString() ?? "";
      from += chunk.items;
      expect(chunk.cursor).toBe(batch[from - 1]!.seq);
    }
  }
  return text.replaceAll(/(?<=^|\n\n)id: \d+\n\n/g, "");
}

test("one encoding serves all who are handed the same events", () => {
  const encoder = createEncoder();
  const events = [event(1), event(2), event(3)];
  const first = encoder.next(view, events, 0);
  expect(encoder.next(view, [...events], 0)).toBe(first);
  expect(encoder.next(view, [...events, event(4)], 0)).toBe(first);
  expect(encoder.next(quiet, events, 0)).not.toBe(first);
  expect(encoder.next(view, events.slice(0, 2), 0)).not.toBe(first);
});

test("however the events are cut into batches, the bytes are the same", () => {
  const types = ["agent.output.delta", "agent.usage", "runtime.token.created", "some.newer.type"];
  const shape = fc.array(
    fc.record({ type: fc.constantFrom(...types), size: fc.integer({ min: 0, max: 30_000 }) }),
    { minLength: 1, maxLength: 40 },
  );
  const cuts = fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(shape, cuts, fc.boolean(), (shapes, readers, hush) => {
      const of = hush ? quiet : view;
      const events = shapes.map(({ type, size }, i) => event(i + 1, type, "y".repeat(size)));
      const whole = bytesOf(createEncoder(), [events], of);
      const shared = createEncoder();
      for (const sizes of readers) {
        const batches: AnyEvent[][] = [];
        for (let at = 0, i = 0; at < events.length; i++) {
          const size = sizes[i % sizes.length]!;
          batches.push(events.slice(at, at + size));
          at += size;
        }
        expect(bytesOf(shared, batches, of)).toBe(whole);
      }
    }),
    { numRuns: 50 },
  );
});

test("hidden events before a frame are said, so that its number is no riddle", () => {
  const events = [event(1), event(2, "agent.usage"), event(3, "agent.usage"), event(4), event(5)];
  const lines = createEncoder()
    .next(quiet, events, 0)
    .bytes!.toString()
    .match(/^id: \d+$\n^$|^id: \d+/gm);
  expect(lines).toEqual(["id: 1", "id: 3\n", "id: 4", "id: 5"]);
});

test("an unknown type is debug: shown raw, and hidden from who asks for the default tier", () => {
  const events = [event(1, "some.newer.type")];
  expect(bytesOf(createEncoder(), [events])).toContain('"type":"some.newer.type"');
  const hidden = createEncoder().next(quiet, events, 0);
  expect(hidden).toMatchObject({ bytes: null, cursor: 1, hidden: 1, frames: 0 });
});

test("a chunk is bounded, but for a frame that is larger by itself", () => {
  const events = Array.from({ length: 50 }, (_, i) => event(i + 1, undefined, "z".repeat(10_000)));
  const chunk = createEncoder().next(view, events, 0);
  expect(chunk.items).toBeLessThan(10);
  expect(chunk.bytes!.length).toBeLessThan(64 * 1024);
});

test("no text ends the line that it is in, for whatever reader", () => {
  const text = "a\n\nb\r\rc\u2028\u2028id: 9\u2029\u0085\u0085d";
  const bytes = bytesOf(createEncoder(), [[event(1, "agent.output.delta", text)]]);
  const lines = bytes.split(/[\n\r\v\f\u0085\u2028\u2029]/);
  expect(lines.map((line) => line.slice(0, 6))).toEqual(["id: 1", "data: ", "", ""]);
  expect(JSON.parse(lines[1]?.slice(6) ?? "")).toMatchObject({ payload: { text } });
});
