import { ROLES, SYSTEM_STREAM } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { StreamSpec } from "../ports/event-log.ts";
import { type Actor, scopeOf, sees } from "./actor.ts";
import { ACTIONS, type Action, allows } from "./permission.ts";
import { manages } from "./token.ts";

const WHO_MAY: Record<Action, string> = {
  "session.read": "viewer operator admin agent",
  "session.create": "operator admin agent",
  "session.trim": "admin",
  "session.purge": "admin",
  "turn.start": "operator admin agent",
  "turn.cancel": "operator admin agent",
  "session.control": "operator admin",
  "question.decide": "operator admin",
  "grant.read": "viewer operator admin",
  "grant.revoke": "operator admin",
  "hook.trust": "operator admin",
  "token.manage": "admin",
};

function actor(role: Actor["role"], project: string | null = null, name = "ada"): Actor {
  return { name, role, project, token_id: null };
}

function stream(spec: Partial<StreamSpec> & { id?: string } = {}): StreamSpec & { id: string } {
  return {
    id: "ses_1",
    owner: "user",
    kind: "chat",
    project: null,
    broadcast: false,
    created_by: "bob",
    ...spec,
  };
}

describe("roles", () => {
  it.each(ACTIONS)("%s", (action) => {
    expect(ROLES.filter((role) => allows(role, action)).join(" ")).toBe(WHO_MAY[action]);
  });

  it("see what is in their project, an agent only what it made", () => {
    expect(sees(actor("viewer"), stream({ project: "a" }))).toBe(true);
    expect(sees(actor("admin", "a"), stream({ project: "a" }))).toBe(true);
    expect(sees(actor("admin", "a"), stream({ project: "b" }))).toBe(false);
    expect(sees(actor("admin", "a"), stream({ project: null }))).toBe(false);
    expect(sees(actor("agent"), stream())).toBe(false);
    expect(sees(actor("agent"), stream({ created_by: "ada" }))).toBe(true);
    expect(sees(actor("agent", "a"), stream({ created_by: "ada", project: "b" }))).toBe(false);
    expect(sees(actor("agent"), stream({ created_by: "ada", owner: "system" }))).toBe(false);
    expect(sees(actor("viewer"), stream({ owner: "system" }))).toBe(true);
  });

  it("keep the system stream to those who may see everything", () => {
    const system = stream({ id: SYSTEM_STREAM, owner: "system" });
    expect(sees(actor("admin"), system)).toBe(true);
    expect(sees(actor("admin", "a"), system)).toBe(false);
    expect(sees(actor("operator"), system)).toBe(false);
  });

  it("list what they see", () => {
    expect(scopeOf(actor("viewer"))).toEqual({ owner: "user" });
    expect(scopeOf(actor("agent", "a"))).toEqual({ owner: "user", project: "a", created_by: "ada" });
  });

  it("hand out no more than they have", () => {
    expect(manages(actor("admin"), null)).toBe(true);
    expect(manages(actor("admin", "a"), "a")).toBe(true);
    expect(manages(actor("admin", "a"), null)).toBe(false);
    expect(manages(actor("admin", "a"), "b")).toBe(false);
    expect(manages(actor("operator"), null)).toBe(false);
  });
});
