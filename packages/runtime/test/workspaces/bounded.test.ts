import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/ports/workspaces.ts";
import { lab } from "./support.ts";

describe.each([{ repository: true }, { repository: false }])(
  "what is kept for one session (repository: $repository)",
  (given) => {
    test("comes to so much and no more: the reason is said, what was kept is had, and others are kept", async () => {
      const l = lab({ ...given, project: { storeBytes: 400_000 } });
      const keep = (name: string) =>
        l.workspaces.keepProject({ id: `ws_${name}`, session_id: `ses_${name}`, source: l.project });
      const kept: Snapshot[] = [];
      let full: unknown;
      for (let i = 0; i < 30 && full === undefined; i++) {
        l.put("one.bin", randomBytes(100_000));
        l.put("number.txt", String(i));
        const said = await keep("one");
        if (said !== undefined && "ref" in said) kept.push(said);
        else full = said;
      }
      expect(full).toEqual({
        unkept: "too_large",
        why: expect.stringMatching(/come to 0 MB, and more is not/),
      });
      expect(kept.length).toBeGreaterThan(1);
      expect(await keep("one")).toEqual(full);
      expect(await keep("two")).toMatchObject({ workspace_id: "ws_two" });
      const from = kept[0] as Snapshot;
      const made = await l.workspaces.restore({ id: "ws_b", session_id: "ses_b", from });
      expect(readFileSync(join(made.path, "number.txt"), "utf8")).toBe("0");
    });
  },
);
