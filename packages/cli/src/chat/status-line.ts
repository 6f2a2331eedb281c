import { duration } from "./call-row.ts";
import type { Usage, View } from "./model.ts";
import { clipped, type Line, lineWidth, type Span, span } from "./span.ts";

export interface Surroundings {
  readonly now: number;
  /** Undefined: all is well. */
  readonly connection: string | undefined;
  readonly session: string | null;
}

const FRAMES = ["◐", "◓", "◑", "◒"];
const FRAME_MS = 250;

/** What is going on and what it costs, in one row: what matters least gives way first. */
export function statusLine(view: View, at: Surroundings, width: number): Line {
  const parts: Span[] = [activity(view, at)];
  const add = (text: string | null | undefined): void => {
    if (text) parts.push(span(text, "dim"));
  };
  if (at.connection !== undefined) parts.push(span(at.connection, "yellow"));
  add(view.model ?? "default model");
  add(modes(view));
  add(contextText(view));
  if (view.usage.calls > 0) add(`${tokens(view.usage.input)} in ${tokens(view.usage.output)} out`);
  add(costText(view.usage));
  add(view.thinkLevel === null || view.thinkLevel === "off" ? null : `think ${view.thinkLevel}`);
  add(at.session === null ? null : `…${at.session.slice(-6)}`);
  for (;;) {
    const row = parts.flatMap((part, i) => (i === 0 ? [part] : [span(" · ", "dim"), part]));
    if (lineWidth(row) <= width || parts.length === 1) return clipped(row, width);
    parts.pop();
  }
}

function activity({ turn, pending }: View, { now }: Surroundings): Span {
  if (pending.length > 0) return span("◆ waits for you", "yellow", "bold");
  if (turn === null) return span("○ ready", "green");
  if (turn.parked) return span("◇ waiting", "yellow");
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? "";
  const seconds = Math.floor(Math.max(0, now - turn.since) / 1_000);
  return span(`${frame} working ${seconds < 60 ? `${seconds} s` : duration(seconds * 1_000)}`, "cyan");
}

function modes({ permissionMode, approvalMode }: View): string | null {
  if (permissionMode === null) return approvalMode;
  // The usual one goes without saying.
  return approvalMode === null || approvalMode === "on_request"
    ? permissionMode
    : `${permissionMode}, ${approvalMode}`;
}

function contextText({ usage, contextLimit }: View): string | null {
  if (usage.context === 0) return null;
  if (contextLimit === null) return `ctx ${tokens(usage.context)}`;
  return `ctx ${Math.round((usage.context / contextLimit) * 100)}%`;
}

export function costText({ cost }: Usage): string | null {
  if (cost === undefined) return null;
  return `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}

export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
