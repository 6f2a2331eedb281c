import type { SessionStatus } from "@fairlead/contract";

/** What can be done with a text, or to what is under way. */
export const WAYS = ["send", "steer", "queue", "resume", "branch"] as const;
export type Way = (typeof WAYS)[number];

/** `yes`: the server takes it now. A text: why not, for who looks. Left out: this kind of session never has it. */
export type Offer = Partial<Readonly<Record<Way | "stop", "yes" | string>>>;

/** What the server goes by. */
export interface Standing {
  readonly kind: string;
  readonly status: string;
  /** A turn is open: it runs, or waits for somebody. */
  readonly open: boolean;
  /** Of background work: a resume tries it now, or takes back a pause that nobody has heard yet. */
  readonly resumable: boolean;
}

const OPEN = "A turn is open: steer it, or queue for after it.";
const NONE = "No turn is open.";
const GOES_ON = "It is under way: steer it.";
const NOT_BEGUN = "It has not begun yet: it is heard once it has.";
const WAITS = "It waits: resume it with this text.";
const OVER = "It is over: go on in a branch of it.";

function talk(open: boolean): Offer {
  return open
    ? { send: OPEN, steer: "yes", queue: "yes", stop: "yes" }
    : { send: "yes", steer: NONE, queue: "yes", stop: NONE };
}

type Open = Pick<Standing, "open" | "resumable">;

/** Of what goes on: why it is not resumed, unless it can be. */
function goesOn({ open, resumable }: Open, why: string): Offer {
  return { steer: open ? "yes" : NOT_BEGUN, resume: !open ? NOT_BEGUN : resumable ? "yes" : why };
}

/** Of background work: what its state takes. Total, so that a new state is thought of here. */
const BACKGROUND: Readonly<Record<SessionStatus, (is: Open) => Offer>> = {
  idle: () => ({ steer: NOT_BEGUN, resume: NOT_BEGUN }),
  queued: (is) => goesOn(is, GOES_ON),
  running: (is) => goesOn(is, GOES_ON),
  awaiting_approval: (is) => goesOn(is, "It waits for a decision."),
  paused: () => ({ steer: WAITS, resume: "yes" }),
  recovering: () => ({ steer: "It is between two tries: resume it with this text.", resume: "yes" }),
  needs_review: () => ({ steer: NONE, resume: "yes" }),
  failed: () => ({ steer: NONE, resume: "yes" }),
  completed: () => ({ resume: OVER, branch: "yes" }),
  cancelled: () => ({ resume: OVER, branch: "yes" }),
};

/** What is offered, and why not. The server decides; this only keeps from offering what it would refuse. */
export function offerOf({ kind, status, ...is }: Standing): Offer {
  if (kind !== "background") return talk(is.open);
  return BACKGROUND[status as SessionStatus]?.(is) ?? {};
}

/** What Enter does: the first that can be done now. */
export function firstWay(offer: Offer): Way | null {
  return (
    (["send", "steer", "resume", "branch", "queue"] as const).find((way) => offer[way] === "yes") ?? null
  );
}

/** What is left in the field once `sent` is with the server: all that was written since. */
export function afterSent(now: string, sent: string): string {
  if (now === sent) return "";
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;
}
