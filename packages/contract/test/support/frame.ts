import type { FrontendFrame } from "../../src/index.ts";
import type { Entry } from "../../src/view/index.ts";

export const AT = "2026-01-01T00:00:00.000Z";
let seq = 0;

/** The next frame of a session, with a place and an id of its own. */
export function frame(type: string, payload: unknown): FrontendFrame {
  seq += 1;
  const place = { id: `evt_${seq}`, seq, session_id: "ses_1", at: AT, tier: "default" };
  return { type, payload, ...place } as FrontendFrame;
}

/** What is seen without asking. */
export function shown(rows: readonly Entry[]): readonly Entry[] {
  return rows.filter(({ tier }) => tier === "default");
}
