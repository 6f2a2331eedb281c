/** What each caller may have waiting at once: one that holds its share leaves the others theirs. */
export interface Shares {
  /** A place for one request; undefined when the caller has all of its own taken. */
  take(caller: string): Place | undefined;
}

export interface Place {
  /** Counts bytes that are kept until the answer; false when they are over the caller's budget. */
  keep(bytes: number): boolean;
  /** Gives the place and its bytes back. Called once. */
  leave(): void;
}

export interface ShareLimits {
  readonly maxRequests: number;
  readonly maxBytes: number;
}

export function createShares({ maxRequests, maxBytes }: ShareLimits): Shares {
  const callers = new Map<string, { requests: number; bytes: number }>();

  return {
    take(caller) {
      const used = callers.get(caller) ?? { requests: 0, bytes: 0 };
      if (used.requests >= maxRequests) return undefined;
      callers.set(caller, used);
      used.requests += 1;
      let kept = 0;
      return {
        keep(bytes) {
          kept += bytes;
          used.bytes += bytes;
          return used.bytes <= maxBytes;
        },
        leave() {
          used.requests -= 1;
          used.bytes -= kept;
          if (used.requests === 0) callers.delete(caller);
        },
      };
    },
  };
}
