import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Append, Appended, EventLog } from "../ports/event-log.ts";

/** What the server counts. Hot paths add to plain numbers; Prometheus reads them when it asks. */
export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void;
  frames(count: number): void;
  appended(events: number, seconds: number): void;
  refused(): void;
  /** Asked at each scrape. */
  openStreams: () => number;
  text(): Promise<string>;
  readonly contentType: string;
}

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function createMetrics(options: { readonly process?: boolean } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process ?? true) collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: "fairlead_http_request_duration_seconds",
    help: "Time to answer, by route. Streams are not in it: they last as long as their readers.",
    labelNames: ["method", "route", "status"],
    buckets: FAST,
    registers,
  });
  const appends = new Histogram({
    name: "fairlead_append_duration_seconds",
    help: "Time from the call until an append is durable.",
    buckets: FAST,
    registers,
  });
  let delivered = 0;
  let events = 0;
  let refusals = 0;
  const metrics: Metrics = {
    request: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    frames(count) {
      delivered += count;
    },
    appended(count, seconds) {
      events += count;
      appends.observe(seconds);
    },
    refused() {
      refusals += 1;
    },
    openStreams: () => 0,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
  const counter = (name: string, help: string, value: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  };
  counter("fairlead_events_appended_total", "Events made durable.", () => events);
  counter("fairlead_appends_refused_total", "Appends refused by a guard or a schema.", () => refusals);
  counter("fairlead_frames_delivered_total", "Frames written to streams.", () => delivered);
  new Gauge({
    name: "fairlead_open_streams",
    help: "SSE streams open now.",
    registers,
    collect() {
      this.set(metrics.openStreams());
    },
  });
  return metrics;
}

const countOf = ({ writes }: Append): number => writes.reduce((sum, { events }) => sum + events.length, 0);

/** The same log, with its appends counted and timed. For whoever puts the runtime together. */
export function observedLog(log: EventLog, metrics: Metrics): EventLog {
  async function append(what: Append): Promise<Appended> {
    const start = performance.now();
    const done = await log.append(what);
    // Not `done.events`: they are made from their bytes when somebody asks, and few do.
    if (done.ok) metrics.appended(countOf(what), (performance.now() - start) / 1000);
    else metrics.refused();
    return done;
  }
  return new Proxy(log, {
    get(target, key) {
      if (key === "append") return append;
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
