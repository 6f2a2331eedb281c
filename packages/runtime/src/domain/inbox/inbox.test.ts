import type { QuestionRow, SessionRow } from "@fairlead/contract";
import { SESSION_STATUSES } from "@fairlead/contract";
import { INBOX_GROUPS } from "@fairlead/contract/inbox";
import { expect, test } from "vitest";
import { type Attention, seenBy } from "./attention.ts";
import { inboxEntries, type InboxParts } from "./inbox.ts";
import { newsOf, standingOf } from "./standing.ts";

const AT = "2026-01-01T00:00:00.000Z";
const later = (minutes: number): string => new Date(Date.parse(AT) + minutes * 60_000).toISOString();

function session(id: string, part: Partial<SessionRow> = {}): SessionRow {
  return {
    session_id: `ses_${id}` as SessionRow["session_id"],
    kind: "chat",
    status: "idle",
    title: id,
    project: null,
    owner: "user",
    created_by: "ada",
    turn_id: null,
    head_seq: 10,
    created_at: AT,
    updated_at: AT,
    state: null,
    ...part,
  };
}

function question(id: string, session_id: string, part: Partial<QuestionRow> = {}): QuestionRow {
  return {
    request_id: `apr_${id}` as QuestionRow["request_id"],
    session_id: `ses_${session_id}` as QuestionRow["session_id"],
    kind: "approval",
    state: "pending",
    tool_name: "shell",
    reason: "May I?",
    asked_by: null,
    shown: null,
    shown_hash: null,
    risk: "low",
    expires_at: null,
    asked_at: AT,
    asked_seq: 5,
    decided_at: null,
    actor: null,
    note: null,
    ...part,
  };
}

function attention(id: string, part: Partial<Attention>): [string, Attention] {
  const session_id = `ses_${id}` as Attention["session_id"];
  return [session_id, { session_id, ended: null, stated: null, seen: {}, ...part }];
}

const ended = (status: "completed" | "failed" | "cancelled", seq = 9) => ({
  status,
  reason: null,
  seq,
  at: AT,
});

function inbox(parts: Partial<InboxParts>) {
  const entries = inboxEntries({ name: "ada", questions: [], sessions: [], attention: new Map(), ...parts });
  const count = (group: string) => entries.filter((entry) => entry.group === group).length;
  return { entries, counts: Object.fromEntries(INBOX_GROUPS.map((group) => [group, count(group)])) };
}

test("the order is fixed: needs input, needs review, done, working, idle", () => {
  const { entries, counts } = inbox({
    sessions: [
      session("idle"),
      session("busy", { status: "running", turn_id: "trn_1" }),
      session("done"),
      session("bad"),
      session("asks", { status: "awaiting_approval", turn_id: "trn_2" }),
    ],
    questions: [question("1", "asks")],
    attention: new Map([
      attention("done", { ended: ended("completed") }),
      attention("bad", { ended: ended("failed") }),
    ]),
  });
  expect(entries.map(({ title, group }) => [title, group])).toEqual([
    ["asks", "needs_input"],
    ["bad", "needs_review"],
    ["done", "done"],
    ["busy", "working"],
    ["idle", "idle"],
  ]);
  expect(counts).toEqual({ needs_input: 1, needs_review: 1, done: 1, working: 1, idle: 1 });
});

test("the riskiest question comes first, then the one that waits longest", () => {
  const { entries } = inbox({
    questions: [
      question("new", "a", { asked_at: later(9) }),
      question("old", "b", { asked_at: later(1) }),
      question("risky", "c", { asked_at: later(20), risk: "critical" }),
    ],
  });
  expect(entries.map(({ request_id }) => request_id)).toEqual(["apr_risky", "apr_old", "apr_new"]);
});

test("what one person has seen is still unseen by another", () => {
  const parts = {
    sessions: [session("done")],
    attention: new Map([attention("done", { ended: ended("completed", 9), seen: { ada: 9, bob: 8 } })]),
  };
  expect(inbox(parts).entries[0]?.group).toBe("idle");
  expect(inbox({ ...parts, name: "bob" }).entries[0]?.group).toBe("done");
});

test("a review and a failure go once they were marked, for the one who did", () => {
  const seen = { ada: 99 };
  const parts = {
    sessions: [session("review", { status: "needs_review" }), session("failed", { status: "failed" })],
    attention: new Map([
      attention("review", { ended: ended("failed"), seen }),
      attention("failed", { ended: ended("failed"), seen }),
    ]),
  };
  expect(inbox(parts).counts).toMatchObject({ needs_review: 0, idle: 2 });
  expect(inbox({ ...parts, name: "bob" }).counts).toMatchObject({ needs_review: 2, idle: 0 });
});

test("who saw a turn end has not seen that it needs review, which is said after it", () => {
  const stated = { status: "needs_review", seq: 11, at: AT };
  const groupAt = (ada: number) => {
    const [id, row] = attention("one", { ended: ended("completed", 9), stated, seen: { ada } });
    expect(newsOf(row)).toBe(11);
    const parts = { sessions: [session("one", { status: "needs_review" })], attention: new Map([[id, row]]) };
    return inbox(parts).entries[0]?.group;
  };
  expect([groupAt(9), groupAt(11)]).toEqual(["needs_review", "idle"]);
});

test("a review says what is not proven, where that is known", () => {
  const status = "needs_review" as const;
  const reviewed = (reason: string | null) => attention("one", { ended: { ...ended("completed"), reason } });
  const reason = (said: string | null) =>
    inbox({ sessions: [session("one", { status })], attention: new Map([reviewed(said)]) }).entries[0]
      ?.reason;
  expect(reason("Not proven: npm test: never ran")).toBe("Not proven: npm test: never ran");
  expect(reason("needs_review")).toBe("It ended without all that it owes.");
});

test("what its policy stopped needs somebody, and says why; what a person paused does not", () => {
  const paused = (actor: string) =>
    attention(actor, { paused: { actor, reason: "max_cost_usd is 1" }, seen: { ada: 99 } });
  const { entries } = inbox({
    sessions: [session("health", { status: "paused" }), session("ada", { status: "paused" })],
    attention: new Map([paused("health"), paused("ada")]),
  });
  expect(entries.map(({ title, group, action, reason }) => [title, group, action, reason])).toEqual([
    ["health", "needs_input", "go_on", "max_cost_usd is 1"],
    ["ada", "idle", "go_on", "Paused by ada."],
  ]);
});

test("what went on again after its policy stopped it is at work", () => {
  const attended = attention("one", { paused: { actor: "health", reason: "r" } });
  const { entries } = inbox({
    sessions: [session("one", { status: "running", turn_id: "trn_1" })],
    attention: new Map([attended]),
  });
  expect(entries[0]?.group).toBe("working");
});

test("a turn that somebody stopped is nothing to read", () => {
  const { entries } = inbox({
    sessions: [session("stopped")],
    attention: new Map([attention("stopped", { ended: ended("cancelled") })]),
  });
  expect(entries[0]?.group).toBe("idle");
});

test("a question whose session is not on hand is listed all the same", () => {
  expect(inbox({ questions: [question("1", "gone")] }).entries).toHaveLength(1);
});

test("every status has a place", () => {
  for (const status of SESSION_STATUSES) {
    const { entries } = inbox({ sessions: [session("one", { status })] });
    expect(INBOX_GROUPS).toContain(entries[0]?.group);
  }
});

test("a name like `toString` has seen nothing", () => {
  const [, row] = attention("one", {});
  expect(seenBy(row, "toString")).toBe(0);
  expect(seenBy(undefined, "ada")).toBe(0);
});

test("where a session stands for everybody is the group of who has seen nothing of it", () => {
  const stated = (status: string) => ({ status, seq: 3, at: AT });
  for (const status of SESSION_STATUSES)
    for (const last of [null, ended("completed"), ended("failed"), ended("cancelled")]) {
      const [id, row] = attention("one", { stated: stated(status), ended: last });
      const { entries } = inbox({ sessions: [session("one", { status })], attention: new Map([[id, row]]) });
      expect([status, last?.status, standingOf(row)]).toEqual([status, last?.status, entries[0]?.group]);
    }
});

test("what asks, and what is a sub-agent's, is in no group", () => {
  const at = { stated: { status: "running", seq: 3, at: AT } };
  expect(standingOf(attention("one", { ...at, asks: ["apr_1"] })[1])).toBe("asks");
  expect(standingOf(attention("one", { ...at, asks_below: ["sub apr_1"] })[1])).toBe("asks_below");
  expect(standingOf(attention("one", { ...at, below: true, asks: ["apr_1"] })[1])).toBe("below");
});

const UNTIL = "2026-01-02T00:00:00.000Z";

test("work that waits for a time says until when, and is no longer said to once it was told to pause", () => {
  const state = { session_id: "ses_a", status: "queued" as const };
  const resume_context = { kind: "timer", until: UNTIL, reason: "The day's budget is used." };
  const work = { kind: "background", status: "queued" as const, state: { ...state, resume_context } };
  const one = (part: Partial<SessionRow>) =>
    inbox({ sessions: [session("a", { ...work, ...part })] }).entries[0];
  expect(one({})).toMatchObject({ group: "working", until: UNTIL });
  expect(one({})?.reason).toBe(`The day's budget is used. It goes on by itself at ${UNTIL}.`);
  expect(one({ pausing: { actor: "ada", reason: "r" } })?.until).toBeUndefined();
  // Nobody can have it tried now; it says the same all the same.
  expect(one({ kind: "chat" })?.until).toBeUndefined();
  expect(one({ kind: "chat" })?.reason).toBe(one({})?.reason);
  expect(one({ state: { ...state, resume_context: null } })?.reason).toBe("Waits for its turn.");
});

test("work whose sub-agents wait for a time says until when the last goes on", () => {
  const resume_context = { kind: "delegated", session_ids: [] };
  const state = { session_id: "ses_a", status: "running" as const, resume_context };
  const sessions = [session("a", { kind: "background", status: "running", state })];
  const below = (...waits_below: NonNullable<Attention["waits_below"]>) =>
    inbox({ sessions, attention: new Map([attention("a", { waits_below })]) }).entries[0];
  expect(below()?.until).toBeUndefined();
  const both = below({ agent_id: "a", until: UNTIL }, { agent_id: "b", until: AT });
  expect(both).toMatchObject({ until: UNTIL, reason: expect.stringContaining("What it delegated waits.") });
});

test("what was told to wait and works on says so, and who wants it", () => {
  const pausing = (actor: string) =>
    inbox({ sessions: [session("a", { status: "running", pausing: { actor, reason: "r" } })] }).entries[0];
  expect(pausing("ada")).toMatchObject({
    group: "working",
    reason: "Pausing after this step, as ada wants.",
  });
  expect(pausing("health")?.reason).toContain("as its policy wants");
});

test("what a person paused says who did, and not that nothing was asked of it", () => {
  const paused = session("held", { kind: "background", status: "paused", turn_id: "trn_1" });
  const stated = { status: "paused", seq: 7, at: AT };
  const reasons = (attentions: Partial<Attention>, state: SessionRow["state"] = null) =>
    inbox({
      sessions: [{ ...paused, state }],
      attention: new Map([attention("held", { stated, ...attentions })]),
    }).entries.map(({ group, reason }) => [group, reason]);
  expect(reasons({ paused: { actor: "root", reason: "Not now." } })).toEqual([["idle", "Paused by root."]]);
  const state = { session_id: "ses_held", status: "paused" as const, resume_context: { actor: "eve" } };
  expect(reasons({}, state)).toEqual([["idle", "Paused by eve."]]);
  expect(reasons({})).toEqual([["idle", "Paused by somebody."]]);
});

test("what is done says how its answer begins, and how its last turn ended", () => {
  const { entries } = inbox({
    sessions: [session("done", { last_turn: "completed" }), session("bad", { last_turn: "failed" })],
    attention: new Map([
      attention("done", { ended: { ...ended("completed"), said: "All tests pass." } }),
      attention("bad", { ended: ended("failed") }),
    ]),
  });
  expect(entries).toMatchObject([
    { group: "needs_review", status: "idle", last_turn: "failed" },
    { group: "done", reason: "All tests pass.", last_turn: "completed" },
  ]);
});
