import type { SessionStatus, ToolOutcomeStatus } from "@fairlead/contract";
import { type ToolEntry, type ToolState, worded } from "@fairlead/contract/view";
import type { ReactNode } from "react";
import { useStorePart } from "../lib/store.ts";
import { mayDecide, me } from "../state/me.ts";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "calm" | "good" | "warn" | "bad" | "info";

interface Sign {
  readonly icon: IconName;
  readonly word: string;
  readonly tone: Tone;
  readonly spin?: boolean;
}

export function Chip({ sign, children }: { readonly sign: Sign; readonly children?: ReactNode }) {
  return (
    <span className={`chip ${sign.tone}`}>
      <Icon name={sign.icon} spin={sign.spin ?? false} />
      {sign.word}
      {children}
    </span>
  );
}

/** A sign and a word for each state: colour never has to be told apart. */
export const STATUS: Readonly<Record<SessionStatus, Sign>> = {
  idle: { icon: "dot", word: "Idle", tone: "calm" },
  queued: { icon: "clock", word: "Queued", tone: "info" },
  running: { icon: "working", word: "Working", tone: "info", spin: true },
  awaiting_approval: { icon: "hand", word: "Needs you", tone: "warn" },
  paused: { icon: "pause", word: "Paused", tone: "calm" },
  recovering: { icon: "working", word: "Recovering", tone: "warn", spin: true },
  completed: { icon: "check", word: "Done", tone: "good" },
  needs_review: { icon: "flag", word: "Needs review", tone: "warn" },
  failed: { icon: "cross", word: "Failed", tone: "bad" },
  cancelled: { icon: "stop", word: "Cancelled", tone: "calm" },
};

/** Beside the state of what was told to wait and goes on to where it can. */
export const PAUSING_SIGN: Sign = { icon: "pause", word: "Pausing", tone: "warn" };

/** For who may not decide: it waits, and not for them. */
const WAITS_FOR_OTHERS: Sign = { icon: "hand", word: "Waits for an operator", tone: "warn" };

export function StatusChip({ status, age }: { readonly status: string; readonly age?: string }) {
  const mine = useStorePart(me, (who) => who === null || mayDecide(who));
  const known = STATUS[status as SessionStatus];
  const sign = (!mine && status === "awaiting_approval" ? WAITS_FOR_OTHERS : known) ?? {
    icon: "dot",
    word: status,
    tone: "calm",
  };
  return (
    <Chip sign={sign}>{age === undefined || age === "" ? null : <span className="num">· {age}</span>}</Chip>
  );
}

const OUTCOMES: Readonly<Record<ToolOutcomeStatus, Sign>> = {
  ok: { icon: "check", word: "Ok", tone: "good" },
  artifact: { icon: "file", word: "Kept", tone: "good" },
  error: { icon: "cross", word: "Failed", tone: "bad" },
  timeout: { icon: "clock", word: "Timed out", tone: "bad" },
  denied: { icon: "shield", word: "Denied", tone: "warn" },
};

const TOOL_SIGNS: Readonly<Record<ToolState, Sign>> = {
  ...OUTCOMES,
  decided: { icon: "clock", word: "Next", tone: "calm" },
  running: { icon: "working", word: "Running", tone: "info", spin: true },
  invalid: { icon: "cross", word: "Not run", tone: "warn" },
  lost: { icon: "warning", word: "Stopped", tone: "warn" },
};

/** How a call stands; of one that a sub-agent does, once that has ended: it is heard with the others. */
export function toolSign({ state, reported }: Pick<ToolEntry, "state" | "reported">): Sign {
  if (state !== "running" || reported === undefined) return TOOL_SIGNS[state];
  return { icon: "clock", word: `Sub-agent ${worded(reported)}`, tone: "calm" };
}

export const RISK_SIGNS: Readonly<Record<string, Sign>> = {
  low: { icon: "shield", word: "Low risk", tone: "good" },
  medium: { icon: "shield", word: "Medium risk", tone: "warn" },
  high: { icon: "warning", word: "High risk", tone: "bad" },
  critical: { icon: "warning", word: "Critical risk", tone: "bad" },
};

const DECISION_SIGNS: Readonly<Record<string, Sign>> = {
  approved: { icon: "check", word: "Approved", tone: "good" },
  edited: { icon: "check", word: "Approved with changes", tone: "good" },
  denied: { icon: "cross", word: "Denied", tone: "bad" },
  expired: { icon: "clock", word: "Expired", tone: "calm" },
  pending: { icon: "hand", word: "Waits", tone: "warn" },
};

const WITHDRAWN: Sign = { icon: "cross", word: "Withdrawn", tone: "calm" };

/** What became of a question. One that is moot was taken back: no time ran out, and nobody said no. */
export function decisionSign(decision: string, moot: true | undefined): Sign {
  if (moot === true) return WITHDRAWN;
  return DECISION_SIGNS[decision] ?? { icon: "dot", word: decision, tone: "calm" };
}
