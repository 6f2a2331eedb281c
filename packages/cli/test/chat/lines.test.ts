import { describe, expect, test } from "vitest";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { background, callJson, cli, jsonLines, makePlace, type Place, serve } from "../support.ts";

/** Asks for the right to write, whatever is said to it. */
function writing(place: Place): Place {
  const rounds = [
    [{ call: "write_file", with: { path: "note.md", content: "x\n" } }],
    [{ say: "It is there." }],
  ];
  writeFileSync(place.env["FAIRLEAD_SCRIPT"] ?? "", JSON.stringify({ rules: [{ rounds }] }));
  return place;
}

describe("a chat through a pipe", () => {
  test("takes each line as a turn of one session, and gives plain text", async () => {
    const place = makePlace();
    const { code, stdout, stderr } = await cli(place, ["chat", "--title", "Piped"], {
      stdin: "one\n\n/etc two\n",
    });
    expect(stdout).toBe("Answer to one.\nAnswer to /etc two.\n");
    expect(stderr).toMatch(/^ses_\w+ · go on: .* chat --session ses_\w+\n$/);
    expect(code).toBe(0);
    const { rows } = await callJson<{ rows: { session_id: string; title: string }[] }>(place, ["sessions"]);
    expect(rows).toMatchObject([{ title: "Piped" }]);
    const session = rows[0]?.session_id ?? "";
    const more = await cli(place, ["chat", "--session", session, "--json"], { stdin: "three" });
    expect(jsonLines<{ type: string }>(more.stdout).map(({ type }) => type)).toContain("turn_end");
    expect((await callJson<{ rows: unknown[] }>(place, ["sessions"])).rows).toHaveLength(1);
  });

  test("works beside a server, and stops at a turn that fails", async () => {
    const place = makePlace();
    await serve(place);
    const { code, stdout, stderr } = await cli(place, ["chat"], { stdin: "please fail\nnever said\n" });
    expect(code).toBe(1);
    expect(stdout).toContain("Half an ans");
    expect(stdout).not.toContain("never said");
    expect(stderr).toContain("(turn_failed)");
  });

  test("cannot ask, so it says how to decide and ends with 3; the decision is still to be made", async () => {
    const place = writing(makePlace());
    const { code, stderr } = await cli(place, ["chat"], { stdin: "write\nthen more\n" });
    expect(code).toBe(3);
    expect(stderr).toMatch(/waits for a decision: apr_\w+ write_file/);
    expect(stderr).toMatch(/decide: .* approve ID/);
    const { rows } = await callJson<{ rows: object[] }>(place, ["approvals"]);
    expect(rows).toMatchObject([{ state: "pending", tool_name: "write_file" }]);
  });

  test("follows a turn that waits for time alone, to its end", async () => {
    const place = makePlace();
    const rules = join(place.cwd, "policies", "a.yaml");
    mkdirSync(join(place.cwd, "policies"));
    const later = "{ id: later, on: [pre_prompt], decide: defer, retry_after_ms: 200, reason: Later. }";
    writeFileSync(rules, `rules: [${later}]\n`);
    await serve(place);
    const chat = background(place, ["chat"]);
    chat.child.stdin?.end("one\n");
    // Whoever decides about it decides so again and again, until the rule is gone.
    await chat.until(/· waits until \S+Z: Later\./);
    writeFileSync(rules, "rules: []\n");
    expect(await chat.ended).toMatchObject({ code: 0, stdout: "Answer to one.\n" });
  });

  test("says what is wrong with what it was given", async () => {
    const place = makePlace();
    expect(await cli(place, ["chat"], { stdin: "\n  \n" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing to say"),
    });
    expect(await cli(place, ["chat", "--session", "ses_zzz"], { stdin: "hello" })).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(await cli(place, ["chat", "--permission-mode", "root"])).toMatchObject({ code: 2 });
    const help = await cli(place, ["chat", "--help"]);
    expect(help).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Examples:[^]*3 when one waits for a decision/),
    });
  });
});
