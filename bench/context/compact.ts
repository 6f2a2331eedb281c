import { compact } from "../../packages/runtime/src/domain/context/compact.ts";
import { ESTIMATE } from "../../packages/runtime/src/domain/context/estimate.ts";
import type { Message } from "../../packages/runtime/src/ports/model.ts";
import { median, round } from "../measure.ts";

const TURNS = 500;
const ROOM = { tokens: 20_000, messages: 400, digest: 10_000 };
const ROUNDS = 9;

/** One compaction of a long conversation, of messages that were never counted. */
export function compactMs(): number {
  const kept = { tasks: ["write the tests"], decisions: ["ada approved write_file"] };
  const times = Array.from({ length: ROUNDS }, () => {
    const messages = conversation();
    const started = performance.now();
    const made = compact(messages, ROOM, kept, ESTIMATE);
    if (made === undefined) throw new Error("Nothing was compacted.");
    return performance.now() - started;
  });
  return round(median(times), 2);
}

function conversation(): readonly Message[] {
  return Array.from({ length: TURNS }, (_, n): Message[] => [
    { role: "user", text: `Change file ${n}: ${"as was said before, ".repeat(10)}` },
    {
      role: "assistant",
      text: "I look at it first.",
      tool_calls: [{ tool_call_id: `c${n}`, name: "read_file", arguments: `{"path":"src/${n}.ts"}` }],
    },
    {
      role: "tool",
      tool_call_id: `c${n}`,
      name: "read_file",
      text: "const line = read(file);\n".repeat(80),
      failed: false,
    },
    { role: "assistant", text: `File ${n} is changed. ${"It does what was asked. ".repeat(10)}` },
  ]).flat();
}
