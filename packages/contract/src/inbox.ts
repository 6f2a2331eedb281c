import { z } from "zod";
import { RISKS } from "./events/question.ts";
import { TURN_STATUSES } from "./events/request.ts";
import { SESSION_STATUSES } from "./events/session.ts";

/** What somebody should look at first comes first. */
export const INBOX_GROUPS = ["needs_input", "needs_review", "done", "working", "idle"] as const;
export type InboxGroup = (typeof INBOX_GROUPS)[number];

/** What a person would do about it next. */
export const INBOX_ACTIONS = ["decide", "answer", "review", "read", "watch", "go_on"] as const;

/** One thing in the inbox: a question, or a session that stands somewhere. */
export const InboxEntry = z.object({
  /** Names it as long as it is there: a question's id, or a session's. */
  key: z.string(),
  group: z.enum(INBOX_GROUPS),
  session_id: z.string(),
  title: z.string().nullable(),
  kind: z.string(),
  status: z.enum(SESSION_STATUSES),
  /** How its last turn ended, where none is open. */
  last_turn: z.enum(TURN_STATUSES).exclude(["parked"]).nullish(),
  reason: z.string(),
  /** Of work that waits for a time by itself: which. A resume tries it now. */
  until: z.string().optional(),
  risk: z.enum(RISKS).nullable(),
  /** Since when it has been so. */
  since: z.string(),
  action: z.enum(INBOX_ACTIONS),
  /** Set on a question. */
  request_id: z.string().nullable(),
  tool_name: z.string().nullable(),
  /** What the call is about, on one line: a path, a command. Null where nothing says it. */
  subject: z.string().nullable(),
  /** The event that `POST /inbox/{id}/seen` acknowledges. */
  seq: z.int(),
  /** Whether the person who asks has seen it as it is now. */
  seen: z.boolean(),
});
export type InboxEntry = z.infer<typeof InboxEntry>;

export const Inbox = z.object({
  /** In the order of `INBOX_GROUPS`; within one, what waits longest or is riskiest first. */
  entries: z.array(InboxEntry),
  /** How many there are of each, also of those that were left out. */
  counts: z.object({
    needs_input: z.int(),
    needs_review: z.int(),
    done: z.int(),
    working: z.int(),
    idle: z.int(),
  }),
  /** By group, where the next page of it begins; null: all of it is here. */
  more: z.partialRecord(z.enum(INBOX_GROUPS), z.string().nullable()),
});
export type Inbox = z.infer<typeof Inbox>;
