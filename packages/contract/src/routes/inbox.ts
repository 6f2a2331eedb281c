import { z } from "zod";
import { route } from "../define-route.ts";
import { Inbox } from "../inbox.ts";
import { sessionParams } from "./fields.ts";

export const INBOX_ROUTES = {
  getInbox: route({
    method: "GET",
    path: "/inbox",
    summary: "What needs a person now?",
    doc: "Everything the caller may see, in a fixed order: needs input, failed or needs review, done and unseen, working, idle. What was seen is kept for each person, so every tab and machine of theirs shows the same.",
    role: "viewer",
    agents: false,
    status: 200,
    reply: Inbox,
    errors: [],
  }),
  markSeen: route({
    method: "POST",
    path: "/inbox/{id}/seen",
    summary: "Say that a session was looked at",
    doc: "For the person who asks, up to `upto_seq`. Decides nothing and ends nothing. Saying it twice is the same as once.",
    role: "viewer",
    agents: false,
    params: sessionParams,
    body: z.strictObject({ upto_seq: z.int().min(1) }),
    status: 200,
    reply: z.object({ session_id: z.string(), seen_seq: z.int() }),
    errors: ["invalid_id", "session_not_found", "session_purged", "system_session", "invalid_cursor"],
  }),
};
