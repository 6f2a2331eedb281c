import { homedir } from "node:os";
import { fold } from "../../packages/runtime/src/domain/loop/fold.ts";
import { newLoopState } from "../../packages/runtime/src/domain/loop/state.ts";
import { defaultSupervision } from "../../packages/runtime/src/open-supervision.ts";
import type { EventLog } from "../../packages/runtime/src/ports/event-log.ts";
import type { Model } from "../../packages/runtime/src/ports/model.ts";
import { median, round, table } from "../measure.ts";
import { openOurs } from "./ours.ts";

type Part = "model over HTTP" | "appends" | "leases" | "reads" | "guard" | "rules" | "the tool";

interface Span {
  readonly part: Part;
  readonly from: number;
  readonly to: number;
}

/** Where the time of a turn goes, measured at the seams of the engine. A table for people. */
export async function where(modelUrl: string, input: string, turns: number): Promise<void> {
  const spans: Span[] = [];
  const watch = { spans };
  const ours = await openOurs(modelUrl, {
    observe: (log) => watchedLog(log, watch),
    wrapModel: (model) => watchedModel(model, watch),
    supervise: async (parts) => {
      const opened = await defaultSupervision(parts, {
        workspace: "/nowhere",
        home: homedir(),
        controls: [],
        warn: () => {},
      });
      return { ...opened, rules: withSpans(opened.rules, { judge: "rules" }, watch) };
    },
  });
  Object.assign(
    ours.runtime.tools,
    withSpans(ours.runtime.tools, { check: "guard", run: "the tool" }, watch),
  );
  const rows = new Map<string, { times: number[]; counts: number[] }>();
  const note = (part: string, ms: number, count: number) => {
    const row = rows.get(part) ?? { times: [], counts: [] };
    rows.set(part, row);
    row.times.push(ms);
    row.counts.push(count);
  };
  for (let i = 0; i < turns; i++) {
    const session = await ours.session();
    spans.length = 0;
    const from = performance.now();
    await session.turn(input);
    const total = performance.now() - from;
    session.close();
    const seen = spans.slice();
    if (i < turns / 2) continue;
    note("whole turn", total, 1);
    for (const [part, some] of Map.groupBy(seen, (span) => span.part))
      note(
        part,
        some.reduce((sum, span) => sum + span.to - span.from, 0),
        some.length,
      );
    const { events } = await ours.runtime.log.read(session.id);
    const state = newLoopState();
    const start = performance.now();
    for (const event of events) fold(state, event);
    note("folding", performance.now() - start, events.length);
    note("all else", total - covered(seen), 1);
  }
  await ours.close();
  table(
    ["where", "ms", "times"],
    [...rows].map(([part, { times, counts }]) => [part, round(median(times), 3), median(counts)]),
  );
}

/** What spans cover together: a delta is written while the model still speaks. */
function covered(spans: readonly Span[]): number {
  let sum = 0;
  let end = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

interface Watch {
  readonly spans: Span[];
}

function watchedLog(log: EventLog, watch: Watch): EventLog {
  return withSpans(
    log,
    { append: "appends", acquireLease: "leases", read: "reads", row: "reads", stream: "reads" },
    watch,
  );
}

function watchedModel(model: Model, { spans }: Watch): Model {
  return {
    ...model,
    async *stream(request, signal) {
      const from = performance.now();
      for await (const part of model.stream(request, signal)) {
        if (part.type === "finish") spans.push({ part: "model over HTTP", from, to: performance.now() });
        yield part;
      }
    },
  };
}

type Method = (...args: unknown[]) => unknown;

/** The same object, with these functions timed until they have answered. */
function withSpans<T extends object>(
  object: T,
  parts: { readonly [K in keyof T]?: Part },
  { spans }: Watch,
): T {
  const wrapped = Object.create(object) as Record<string, Method>;
  for (const [name, part] of Object.entries(parts) as [string, Part][]) {
    const method = ((object as Record<string, unknown>)[name] as Method).bind(object);
    wrapped[name] = (...args) => {
      const from = performance.now();
      const result = method(...args);
      const took = () => void spans.push({ part, from, to: performance.now() });
      if (result instanceof Promise) return result.finally(took);
      took();
      return result;
    };
  }
  return wrapped as T;
}
