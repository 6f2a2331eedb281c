import { type Call, createCall } from "./call.ts";
import { createHttp, type Fetch } from "./http.ts";
import { createEventStream, type EventStream } from "./stream/event-stream.ts";
import { type Pause, pause as timerPause } from "./stream/pause.ts";

export interface ClientOptions {
  /** Where the server answers. A path is kept: `https://example.org/fairlead`. */
  readonly url: string;
  /** Left out in a browser, where the session cookie goes along. */
  readonly token?: string;
  readonly fetch?: Fetch;
  /** For the jitter of reconnects, in [0, 1). */
  readonly random?: () => number;
  /** How reconnects wait. */
  readonly pause?: Pause;
}

/** The remote control of one server. */
export interface Client {
  readonly url: string;
  /** Any route of the table, by its name there. */
  readonly call: Call;
  readonly eventStream: EventStream;
}

export function createClient(options: ClientOptions): Client {
  const { url, token, fetch, random = Math.random, pause = timerPause } = options;
  const http = createHttp({ url, token, fetch });
  const call = createCall(http);
  return { url: http.url, call, eventStream: createEventStream({ http, call, random, pause }) };
}
