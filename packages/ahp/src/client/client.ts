import type {
  BatchableType,
  BlockingType,
  DecisionOf,
  NoticeType,
  PayloadInput,
} from "../protocol/events.ts";
import type { GenericDecision } from "../protocol/events/generic.ts";
import type { HandshakeResult, QueryResult } from "../protocol/methods.ts";
import type { CallOptions, EventOptions } from "./options.ts";
import type { EventInput } from "./outgoing.ts";

/** One entry of a batch, when the client fills in who and when. */
export type BatchEntry = {
  [T in BatchableType]: { type: T; payload: PayloadInput<T> } & Omit<EventOptions, keyof CallOptions>;
}[BatchableType];

/** An agent's side of the protocol. Every method rejects with an AhpError when there is no valid answer. */
export interface AhpClient {
  /** Must come first; opens the connection. When the client reconnects it greets again by itself. */
  handshake(options?: CallOptions): Promise<HandshakeResult>;

  /** Asks, and gets the decision that belongs to the event type. */
  decide<T extends BlockingType>(
    type: T,
    payload: PayloadInput<T>,
    options?: EventOptions,
  ): Promise<DecisionOf<T>>;

  /** As `decide`, with the caller's own session, agent, depth, context and metadata. */
  decideEvent<T extends BlockingType>(event: EventInput<T>, options?: CallOptions): Promise<DecisionOf<T>>;

  /** Resolves when the event is handed over; over HTTP, when it was taken. */
  notify<T extends NoticeType>(type: T, payload: PayloadInput<T>, options?: EventOptions): Promise<void>;

  notifyEvent<T extends NoticeType>(event: EventInput<T>, options?: CallOptions): Promise<void>;

  query(type: string, payload: unknown, options?: CallOptions): Promise<QueryResult>;

  /** One generic decision an entry, in order. */
  batch(entries: readonly BatchEntry[], options?: CallOptions): Promise<GenericDecision[]>;

  batchEvents(
    events: readonly EventInput<BatchableType>[],
    options?: CallOptions,
  ): Promise<GenericDecision[]>;

  /** What the last handshake told. */
  readonly harness: HandshakeResult | undefined;

  /** Ends the connection; open calls fail. Safe to call twice. */
  close(): Promise<void>;
}
