import { APPROVAL_MODES, type ApprovalMode, PERMISSION_MODES, type PermissionMode } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../ports/tool.ts";
import { classOf, escalationOf, permitOf } from "./mode.ts";

type Known = Pick<Tool, "access" | "kind" | "spec">;

function tool(access: Tool["access"], kind?: Tool["kind"]): Known {
  const spec = { name: kind ?? "foreign", description: "", parameters: {} };
  return kind === undefined ? { access, spec } : { access, kind, spec };
}

const EDIT = tool("write", "file_edit");
const SHELL = tool("write", "shell");
const OTHERS = [SHELL, tool("write", "network"), tool("write")];
const FETCH = tool("read", "network");
const FREE = [tool("read"), tool("write", "tasks")];
const ALL = [...FREE, FETCH, EDIT, ...OTHERS];

/** How much a call may do: the greater, the more. */
const FREEDOM = { deny: 0, ask: 1, run: 2 };
const kindOf = (permission_mode: PermissionMode, approval_mode: ApprovalMode, one: Known) =>
  permitOf({ permission_mode, approval_mode }, one).kind;

describe("what the modes make of a call", () => {
  it("tells tools apart by what they can change", () => {
    expect(ALL.map(classOf)).toEqual(["read", "tasks", "network", "file_edit", "write", "write", "write"]);
  });

  it.each([
    // permission, approval, fetching, file edit, other write
    ["plan", "always", "ask", "deny", "deny"],
    ["plan", "on_request", "ask", "deny", "deny"],
    ["plan", "on_escalation", "run", "deny", "deny"],
    ["plan", "never", "deny", "deny", "deny"],
    ["normal", "always", "ask", "ask", "ask"],
    ["normal", "on_request", "ask", "ask", "ask"],
    ["normal", "on_escalation", "run", "run", "run"],
    ["normal", "never", "deny", "deny", "deny"],
    ["accept_edits", "always", "ask", "ask", "ask"],
    ["accept_edits", "on_request", "ask", "run", "ask"],
    ["accept_edits", "on_escalation", "run", "run", "run"],
    ["accept_edits", "never", "deny", "run", "deny"],
    ["full_access", "always", "ask", "ask", "ask"],
    ["full_access", "on_request", "run", "run", "run"],
    ["full_access", "on_escalation", "run", "run", "run"],
    ["full_access", "never", "run", "run", "run"],
  ] as const)(
    "%s, %s: fetching %s, file edits %s, other writes %s",
    (permission, approval, fetching, edits, others) => {
      expect(kindOf(permission, approval, FETCH)).toBe(fetching);
      expect(kindOf(permission, approval, EDIT)).toBe(edits);
      for (const other of OTHERS) expect(kindOf(permission, approval, other)).toBe(others);
      for (const free of FREE) expect(kindOf(permission, approval, free)).toBe("run");
    },
  );

  it("never lets a stricter mode do more", () => {
    const permission = fc.tuple(fc.nat(3), fc.nat(3)).map((pair) => pair.toSorted((a, b) => a - b));
    // `never` is stricter than asking; `always` and `never` have no order between them.
    const approval = fc.constantFrom<readonly [ApprovalMode, ApprovalMode]>(
      ["always", "on_request"],
      ["on_request", "on_escalation"],
      ["always", "on_escalation"],
      ["never", "on_request"],
      ["never", "on_escalation"],
    );
    fc.assert(
      fc.property(
        permission,
        approval,
        fc.constantFrom(...APPROVAL_MODES),
        fc.constantFrom(...PERMISSION_MODES),
        fc.constantFrom(...ALL),
        ([low = 0, high = 0], [strict, loose], anyApproval, anyPermission, one) => {
          const less = kindOf(PERMISSION_MODES[low] ?? "plan", anyApproval, one);
          const more = kindOf(PERMISSION_MODES[high] ?? "plan", anyApproval, one);
          expect(FREEDOM[less]).toBeLessThanOrEqual(FREEDOM[more]);
          expect(FREEDOM[kindOf(anyPermission, strict, one)]).toBeLessThanOrEqual(
            FREEDOM[kindOf(anyPermission, loose, one)],
          );
        },
      ),
    );
  });

  it("says why, to the model and to the person", () => {
    expect(permitOf({ permission_mode: "plan", approval_mode: "on_request" }, SHELL)).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/^plan mode reads only: shell /),
    });
    expect(permitOf({ permission_mode: "normal", approval_mode: "never" }, SHELL)).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/needs an approval in normal mode\. Nobody is asked in this run/),
    });
    expect(permitOf({ permission_mode: "full_access", approval_mode: "always" }, EDIT)).toEqual({
      kind: "ask",
      reason: expect.stringContaining("approval_mode always"),
    });
    expect(permitOf({ permission_mode: "normal", approval_mode: "on_request" }, EDIT)).toEqual({
      kind: "ask",
      reason: expect.stringContaining("normal mode"),
    });
  });

  it("says of an address that it leaves, not that it changes something", () => {
    expect(permitOf({ permission_mode: "plan", approval_mode: "on_request" }, FETCH)).toEqual({
      kind: "ask",
      reason: "network sends its address out of this machine, and plan mode leaves that to a person.",
    });
    expect(permitOf({ permission_mode: "plan", approval_mode: "never" }, FETCH)).toEqual({
      kind: "deny",
      reason: expect.stringContaining("needs an approval in plan mode"),
    });
  });

  it("asks about every escalation, and denies it where nobody is asked", () => {
    for (const mode of APPROVAL_MODES) {
      const permit = escalationOf(mode, "Rule x says so.");
      expect(permit.kind).toBe(mode === "never" ? "deny" : "ask");
      expect(permit.reason).toContain("Rule x says so.");
    }
    expect(escalationOf("never", "Why.").reason).toContain("approval_mode never");
  });
});
