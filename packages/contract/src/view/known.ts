import type { SessionDetail } from "../details.ts";
import type { Summary } from "./summary.ts";

/**
 * A summary that was folded from the end of a long session, with what the server knows of all of it. Both must stand
 * at the same event, the detail's head.
 */
export function withKnown(folded: Summary, detail: SessionDetail): Summary {
  const {
    health,
    state,
    status,
    pausing = null,
    kind,
    title,
    turn_id,
    last_turn = null,
    head_seq: seq,
    updated_at: at,
  } = detail;
  const used = (health["usage"] ?? {}) as { readonly tokens?: number; readonly cost_usd?: number };
  const { usage } = folded;
  const cost = Math.max(usage.cost ?? 0, used.cost_usd ?? 0);
  return {
    ...folded,
    partial: true,
    state: { ...state, kind, title, ...folded.state, status },
    pausing,
    turn: turn_id === null ? null : (folded.turn ?? { id: turn_id, at, parked: status !== "running" }),
    lastTurn: last_turn,
    usage: {
      ...usage,
      earlier: Math.max(0, (used.tokens ?? 0) - usage.input - usage.output),
      cost: usage.cost === null && cost === 0 ? null : cost,
    },
    health: folded.health ?? { ...health, seq, at },
  };
}
