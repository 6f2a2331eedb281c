import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../ports/clock.ts";

/** Whom the browser that opens the link will speak for. */
export type Grant = Pick<Actor, "name" | "role" | "project"> & {
  /** The token that asked for the link. What the link gives ends with it; none: it stands by itself. */
  readonly token_id?: string | null;
};

interface LoginCode {
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface LoginLinks {
  create(grant: Grant): LoginCode;
  /** Once: the code is void afterwards, whatever came of it. Undefined: unknown, used or too old. */
  redeem(code: string): Grant | undefined;
}

interface Entry {
  readonly hash: Buffer;
  readonly grant: Grant;
  readonly expiresAt: number;
}

const digest = (code: string): Buffer => createHash("sha256").update(code).digest();

/** In memory only: a link does not outlive the process that printed it. */
export function loginLinks(deps: {
  readonly clock: Clock;
  readonly ttlMs: number;
  /** The oldest are forgotten beyond this many. */
  readonly most: number;
  readonly random?: () => string;
}): LoginLinks {
  const random = deps.random ?? (() => randomBytes(32).toString("base64url"));
  let entries: Entry[] = [];
  const fresh = (): Entry[] => entries.filter((entry) => entry.expiresAt > deps.clock.now());
  return {
    create(grant) {
      const code = random();
      const expiresAt = deps.clock.now() + deps.ttlMs;
      entries = [...fresh(), { hash: digest(code), grant, expiresAt }].slice(-deps.most);
      return { code, expiresAt };
    },
    redeem(code) {
      const hash = digest(code);
      let found: Entry | undefined;
      // All are compared, so that the time says nothing about which came close.
      for (const entry of (entries = fresh())) if (timingSafeEqual(entry.hash, hash)) found = entry;
      if (found !== undefined) entries = entries.filter((entry) => entry !== found);
      return found?.grant;
    },
  };
}
