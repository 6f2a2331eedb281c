import { type AnyEvent, PATTERN_DAYS } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { StreamInfo } from "../../ports/event-log.ts";
import { covers, type Grant, grantProjection, type Matter, stateOf, toGrantRow } from "./grant.ts";
import { MOST_DAYS, readScope } from "./scope.ts";

const AT = "2026-01-01T00:00:00.000Z";
const NOW = Date.parse(AT);
const DAY = 86_400_000;
const STREAM = { id: "ses_1", project: "home", created_by: "ada" } as unknown as StreamInfo;

function event(type: string, data: object, turn_id: string | null = "trn_1"): AnyEvent {
  return { id: "evt_1", seq: 1, stream: "ses_1", at: AT, type, v: 1, turn_id, data } as unknown as AnyEvent;
}

function granted(scope: object, turn_id: string | null = "trn_1"): Grant {
  const data = {
    request_id: "apr_1",
    kind: "approval",
    tool_name: "shell",
    decision: "approved",
    actor: "bob",
    decided_at: AT,
    grant_id: "gnt_1",
    scope: { pattern: "shell: git status*", ...scope },
  };
  const row = grantProjection.evolve(undefined, event("runtime.question.decided", data, turn_id), STREAM);
  return { ...row, origin: "mode" };
}

const MATTER: Matter = {
  session: { id: "ses_1", project: "home", created_by: "ada" },
  turn_id: "trn_1",
  asked: { name: "shell", kind: "shell", arguments: { command: "git status -s" } },
  origin: "mode",
  now: NOW,
};
const elsewhere = (some: object): Matter => ({
  ...MATTER,
  session: { ...MATTER.session, id: "ses_2", ...some },
  turn_id: "trn_2",
});
const command = (text: string): Matter => ({
  ...MATTER,
  asked: { name: "shell", kind: "shell", arguments: { command: text } },
});

describe("a yes beyond its call", () => {
  it("for a turn covers that turn, and what its pattern allows there", () => {
    const grant = granted({ kind: "turn" });
    expect(covers(grant, MATTER)).toBe(true);
    expect(covers(grant, command("git log"))).toBe(false);
    expect(covers(grant, command("git status; rm -rf x"))).toBe(false);
    expect(covers(grant, { ...MATTER, turn_id: "trn_2" })).toBe(false);
    expect(covers(grant, elsewhere({}))).toBe(false);
    // Of no turn: there is none that it could be for.
    expect(covers(granted({ kind: "turn" }, null), MATTER)).toBe(false);
  });

  it("for a session covers every turn of it, and no other session", () => {
    const grant = granted({ kind: "session" });
    expect(covers(grant, { ...MATTER, turn_id: "trn_9" })).toBe(true);
    expect(covers(grant, elsewhere({}))).toBe(false);
  });

  it("for a pattern covers sessions of the same creator in the same project", () => {
    const grant = granted({ kind: "pattern", expires_at: new Date(NOW + DAY).toISOString() });
    expect(covers(grant, elsewhere({}))).toBe(true);
    expect(covers(grant, elsewhere({ created_by: "eve" }))).toBe(false);
    expect(covers(grant, elsewhere({ created_by: null }))).toBe(false);
    expect(covers(grant, elsewhere({ project: "work" }))).toBe(false);
    expect(covers(grant, elsewhere({ project: null }))).toBe(false);
    expect(covers({ ...grant, created_by: null }, elsewhere({ created_by: null }))).toBe(false);
  });

  it("answers only what is asked for the same reason, about the same tool", () => {
    const grant = granted({ kind: "session" });
    expect(covers(grant, { ...MATTER, origin: "rule:no-git" })).toBe(false);
    expect(covers({ ...grant, origin: "rule:a" }, { ...MATTER, origin: "rule:b" })).toBe(false);
    expect(covers({ ...grant, origin: "rule:a" }, { ...MATTER, origin: "rule:a" })).toBe(true);
    expect(covers({ ...grant, origin: null }, MATTER)).toBe(false);
    expect(covers(grant, { ...MATTER, asked: { ...MATTER.asked, name: "bash" } })).toBe(false);
    expect(covers({ ...grant, tool_name: "bash" }, MATTER)).toBe(false);
  });

  it.each(["", "nonsense pattern", "shell: git status; *", "[redacted:token]"])(
    "covers nothing when its pattern is %j",
    (pattern) => {
      expect(covers({ ...granted({ kind: "session" }), pattern }, MATTER)).toBe(false);
    },
  );

  it("ends with its time, at once when it is revoked, and when its time does not read", () => {
    const grant = granted({ kind: "pattern", expires_at: new Date(NOW + 1_000).toISOString() });
    expect(covers(grant, { ...MATTER, now: NOW + 999 })).toBe(true);
    expect(covers(grant, { ...MATTER, now: NOW + 1_000 })).toBe(false);
    expect(stateOf(grant, NOW + 1_000)).toBe("expired");
    expect(covers({ ...grant, expires_at: "soon" }, MATTER)).toBe(false);
    const revoking = event("runtime.grant.revoked", { grant_id: "gnt_1", actor: "cy" });
    const revoked = { ...grantProjection.evolve(grant, revoking, STREAM), origin: "mode" };
    expect(covers(revoked, MATTER)).toBe(false);
    expect(toGrantRow(revoked, NOW)).toMatchObject({ state: "revoked", revoked_by: "cy", revoked_at: AT });
    const again = event("runtime.grant.revoked", { grant_id: "gnt_1", actor: "dan" });
    expect(grantProjection.evolve(revoked, again, STREAM)).toMatchObject({ revoked_by: "cy" });
    expect([grantProjection.state(grant), grantProjection.state(revoked)]).toEqual(["pattern", "revoked"]);
  });

  it("is made only by decisions that grant something", () => {
    const key = (data: object) => grantProjection.key(event("runtime.question.decided", data));
    expect(key({ grant_id: "gnt_1" })).toBe("gnt_1");
    expect(key({ scope: { kind: "call" } })).toBeNull();
    expect(toGrantRow({ ...granted({ kind: "session" }), pattern: "shell: *" }, NOW).risk).toContain(
      "many programs",
    );
    expect(toGrantRow(granted({ kind: "session" }), NOW)).toMatchObject({ risk: null, state: "active" });
    expect(toGrantRow(granted({ kind: "session" }), NOW)).not.toHaveProperty("created_by");
  });
});

describe("a scope", () => {
  const QUESTION = { kind: "approval", tool_name: "shell", origin: "mode", pattern: "shell: git status*" };
  const soon = new Date(NOW + DAY).toISOString();

  it.each([
    ["this call", { kind: "call" }, { kind: "call" }],
    ["a turn, as suggested", { kind: "turn" }, { kind: "turn", pattern: "shell: git status*" }],
    [
      "a session, edited, for a day",
      { kind: "session", pattern: " shell:  git  *", expires_at: soon },
      { kind: "session", pattern: "shell: git  *", expires_at: soon },
    ],
    [
      "a pattern, for as long as patterns last",
      { kind: "pattern", pattern: "shell: git log*" },
      {
        kind: "pattern",
        pattern: "shell: git log*",
        expires_at: new Date(NOW + PATTERN_DAYS * DAY).toISOString(),
      },
    ],
  ] as const)("is kept for %s", (_, given, scope) => {
    expect(readScope(given, QUESTION, "approved", NOW)).toEqual({ ok: true, scope });
  });

  it.each([
    ["of a call with a pattern", { kind: "call", pattern: "shell" }, {}, "approved", /has no pattern/],
    ["of a call with an end", { kind: "call", expires_at: soon }, {}, "approved", /no end/],
    ["of a no", { kind: "session" }, {}, "denied", /only with the decision/],
    ["of an edit", { kind: "session" }, {}, "edited", /only with the decision/],
    ["without its pattern", { kind: "pattern" }, {}, "approved", /must say what is allowed/],
    ["where none is suggested", { kind: "turn" }, { pattern: undefined }, "approved", /No pattern fits/],
    ["that does not read", { kind: "session", pattern: "shell: a; b" }, {}, "approved", /one plain command/],
    ["of another tool", { kind: "session", pattern: "write_file: a" }, {}, "approved", /is for write_file/],
    ["that has ended", { kind: "session", expires_at: AT }, {}, "approved", /a time to come/],
    ["that never begins", { kind: "session", expires_at: "soon" }, {}, "approved", /a time to come/],
    [
      "for too long",
      { kind: "session", expires_at: new Date(NOW + MOST_DAYS * DAY + 1).toISOString() },
      {},
      "approved",
      /at most 365 days/,
    ],
    [
      "of a question without a reason",
      { kind: "session" },
      { origin: undefined },
      "approved",
      /this call only/,
    ],
    ["of no approval", { kind: "session" }, { kind: "user_input" }, "approved", /this call only/],
  ] as const)("is refused %s", (_, given, some, decision, error) => {
    const { origin, pattern, ...rest } = { ...QUESTION, ...some };
    const question = {
      ...rest,
      ...(origin === undefined ? {} : { origin }),
      ...(pattern === undefined ? {} : { pattern }),
    };
    expect(readScope(given, question, decision, NOW)).toEqual({
      ok: false,
      error: expect.stringMatching(error),
    });
  });
});
