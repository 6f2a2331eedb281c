export interface Begun {
  readonly status: number;
  readonly statusMessage: string;
  /** Names are in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Whoever sent a request. Told in this order, and nothing after `ended` or `failed`, one of which always comes. */
export interface Listener {
  began(response: Begun): void;
  heard(bytes: Uint8Array): void;
  ended(): void;
  failed(error: unknown): void;
}

export interface Sent {
  /** Gives it up, which its listener hears of, unless it is over. */
  stop(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** What a header says, where a server says it more than once. */
export function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}
