import { z } from "zod";
import { route } from "../define-route.ts";
import { INBOX_GROUPS, Inbox } from "../inbox.ts";
import { sessionParams } from "./fields.ts";

export const INBOX_ROUTES = {
  getInbox: route({
    method: "GET",
    path: "/inbox",
    summary: "What needs a person now?",
    doc: "Everything the caller may see, in a fixed order: needs input, failed or needs review, done and unseen, working, idle. What was seen is kept for each person, so every tab and machine of theirs shows the same. Of each group the first are listed and all are counted; with `group` and the `cursor` that `more` has for it, the next of that one.",
    role: "viewer",
    agents: false,
    query: z
      .strictObject({
        group: z.enum(INBOX_GROUPS).optional(),
        cursor: z.string().max(1_000).optional(),
      })
      .refine(({ group, cursor }) => cursor === undefined || group !== undefined, {
        path: ["group"],
        message: "A cursor is of one group: give `group` too.",
      }),
    status: 200,
    reply: Inbox,
    errors: ["invalid_cursor"],
  }),
  markSeen: route({
    method: "POST",
    path: "/inbox/{id}/seen",
    summary: "Say that a session was looked at",
    doc: "For the person who asks, up to `upto_seq`. Decides nothing and ends nothing. With `look`, the session was only looked at: what failed or needs review stays in the inbox until it is accepted, resumed, cancelled, or marked without `look`. Saying it twice is the same as once.",
    role: "viewer",
    agents: false,
    params: sessionParams,
    body: z.strictObject({ upto_seq: z.int().min(1), look: z.boolean().optional() }),
    status: 200,
    reply: z.object({ session_id: z.string(), seen_seq: z.int() }),
    errors: ["invalid_id", "session_not_found", "session_purged", "system_session", "invalid_cursor"],
  }),
};
