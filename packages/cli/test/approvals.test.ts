import type { GrantRow, QuestionRow } from "@fairlead/contract";
import { createRuntime, SYSTEM_ACTOR } from "@fairlead/runtime";
import { describe, expect, test } from "vitest";
import { noTerminal, openPane } from "./chat/pane.ts";
import { call, callJson, cli, makePlace, type Place, serve } from "./support.ts";

const DIFF = "--- a/notes.md\n+++ b/notes.md\n@@ -0,0 +1 @@\n+hello \u001b[31mred\n";
const SHELL = {
  tool_name: "shell",
  shown: { tool: "shell", arguments: { command: "git status -s" } },
  pattern: "shell: git status*",
};

/** What a turn of an agent would have asked. */
async function asked(place: Place, ...questions: readonly object[]): Promise<string[]> {
  const runtime = await createRuntime({ store: { sqlite: place.data }, env: place.env });
  const { session_id } = await runtime.services.sessions.create(SYSTEM_ACTOR, {});
  const ids: string[] = [];
  for (const one of questions) {
    const { request_id } = await runtime.services.questions.ask(session_id, {
      kind: "approval",
      reason: "It can change something.",
      risk: "medium",
      origin: "mode",
      ...SHELL,
      ...one,
    });
    ids.push(request_id);
  }
  await runtime.stop("asked");
  return ids;
}

const idOf = (ids: readonly string[], i = 0): string => ids[i] ?? "";

describe("approvals at the terminal", () => {
  test("what happened is answered with one of the options, and nothing else", async () => {
    const place = makePlace();
    const options = ["happened", "run_again", "give_up"].map((outcome) => ({ outcome, label: outcome }));
    const ids = await asked(place, {
      kind: "user_input",
      origin: "recovery",
      pattern: undefined,
      shown: { tool: "shell", arguments: {}, options },
    });
    const id = idOf(ids);
    const shown = await call(place, ["approvals", "show", id]);
    expect(shown.stderr).toContain(`approve ${id} --answer run_again`);
    const wrong = await call(place, ["approve", id, "--answer", "maybe"]);
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain("happened, run_again, give_up");
    const row = await callJson<QuestionRow>(place, ["approve", id, "--answer", "happened"]);
    expect(row).toMatchObject({ state: "approved" });
  });

  test("without an id are listed, and nothing is decided where nobody can be asked", async () => {
    const place = makePlace();
    const ids = await asked(place, {}, {});
    const listed = await cli(place, ["approve"], { stdin: "y\ny\n" });
    expect(listed.code).toBe(0);
    for (const id of ids) expect(listed.stdout).toContain(`${id}  pending  medium`);
    expect(listed.stderr).toMatch(/^Decide: .* approve ID, or .* deny ID\n$/);
    for (const extra of [
      ["--scope", "session"],
      ["--note", "x"],
      ["--answer", "happened"],
      ["--edit", "{}"],
    ])
      expect(await call(place, ["approve", ...extra])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("Say which one"),
      });
    expect(await callJson(place, ["approve"])).toMatchObject({
      rows: [
        { request_id: idOf(ids, 1), state: "pending" },
        { request_id: idOf(ids, 0), state: "pending" },
      ],
    });
    await call(place, ["deny", idOf(ids, 0)]);
    await call(place, ["deny", idOf(ids, 1)]);
    expect(await call(place, ["approve"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Nothing waits for a decision.\n",
    });
  });

  test.skipIf(noTerminal !== undefined)(
    `without an id are asked about one by one at a terminal${noTerminal === undefined ? "" : ` (${noTerminal})`}`,
    { timeout: 60_000 },
    async () => {
      const place = makePlace();
      const options = [{ outcome: "happened", label: "It happened" }, { outcome: "give_up" }];
      const ids = await asked(
        place,
        {},
        {},
        {},
        { kind: "user_input", pattern: undefined, shown: { options } },
        { tool_name: "write_\u001b[2Jfile" },
      );
      await serve(place);
      const pane = openPane(place, ["approve"], { columns: 120, rows: 50 });
      const allow = "Allow shell\\? y, or n and why, or nothing to leave it:";
      const first = await pane.until(new RegExp(allow));
      expect(first).toMatch(/apr_\w+ +pending[^]*command: git status -s/);
      pane.say("perhaps");
      await pane.until(new RegExp(`perhaps\n${allow}`));
      pane.say("y");
      await pane.until(new RegExp(`${idOf(ids)} is approved\\.[^]*${allow}`));
      pane.say("n Not on a Friday.");
      await pane.until(new RegExp(`${idOf(ids, 1)} is denied\\.[^]*${allow}`));
      // Someone else is quicker: that is said, and stands.
      await call(place, ["deny", idOf(ids, 2)]);
      pane.say("y");
      await pane.until(/already decided[^]*is denied\.[^]*1 {2}It happened \(happened\)\n {2}2 {2}give_up/);
      pane.say("2");
      await pane.until(/Allow write_.\[2Jfile\?/);
      pane.say("");
      const { text, code } = await pane.ended();
      expect(text).toContain(`${idOf(ids, 4)} still waits.`);
      expect(code).toBe(0);
      const { rows } = await callJson<{ rows: QuestionRow[] }>(place, ["approvals", "--state", "all"]);
      expect(rows.toReversed()).toMatchObject([
        { state: "approved" },
        { state: "denied", note: "Not on a Friday." },
        { state: "denied", note: null },
        { state: "approved" },
        { state: "pending" },
      ]);
    },
  );

  test("are shown with all there is to see, and nothing that moves the cursor", async () => {
    const place = makePlace();
    const long = "x".repeat(40_000);
    const ids = await asked(
      place,
      {},
      {
        tool_name: "write_file",
        pattern: "write_file: notes.md",
        shown: { tool: "write_file", arguments: { path: "notes.md", content: long }, diff: DIFF },
      },
    );
    const list = await call(place, ["approvals"]);
    expect(list.stdout).toMatch(/apr_\w+ +pending +medium +\d+ s ago +ses_\w+ +shell: It can change/);
    const shown = await call(place, ["approvals", "show", idOf(ids, 1)]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/risk +medium/);
    expect(shown.stdout).toMatch(/because of +mode/);
    expect(shown.stdout).toMatch(/pattern +write_file: notes.md/);
    expect(shown.stdout).toContain(long);
    expect(shown.stdout).toContain("\n+hello ");
    expect(shown.stdout).not.toContain("\u001b");
    expect(shown.stderr).toContain(`fairlead approve ${idOf(ids, 1)}`);
    const row = await callJson<QuestionRow>(place, ["approvals", "show", idOf(ids, 1)]);
    expect(row).toMatchObject({ state: "pending", shown: { diff: DIFF, arguments: { content: long } } });
  });

  test("are given for a call, a session or a pattern, listed, and taken back", async () => {
    const place = makePlace();
    const ids = await asked(place, {}, {}, {}, {});
    const once = await call(place, ["approve", idOf(ids)]);
    expect(once.stdout).toMatch(/^apr_\w+ is approved: shell: It can change something\.\n$/);
    const session = await call(place, ["approve", idOf(ids, 1), "--scope", "session"]);
    expect(session.stdout).toMatch(/\ngnt_\w+ allows shell: git status\* until this session\n$/);
    expect(session.stderr).toMatch(/`fairlead approvals revoke gnt_\w+` takes it back/);
    const kept = await callJson<QuestionRow>(place, [
      "approve",
      idOf(ids, 2),
      ..."--scope pattern --expires 7d --pattern".split(" "),
      "shell: git *",
    ]);
    const days = (Date.parse(kept.scope?.expires_at ?? "") - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect(kept).toMatchObject({ state: "approved", scope: { kind: "pattern", pattern: "shell: git *" } });
    expect(await callJson(place, ["approve", idOf(ids, 3), "--scope", "pattern"])).toMatchObject({
      scope: { pattern: "shell: git status*" },
    });

    const text = await call(place, ["approvals", "patterns"]);
    expect(text.stdout).toMatch(
      /gnt_\w+ +active +pattern +until \S+Z +tester, \d+ s ago +mode +shell: git \*/,
    );
    expect(text.stderr).toContain(`${kept.grant_id}: It allows git with any words.`);
    const revoked = await call(place, ["approvals", "revoke", kept.grant_id ?? "", "--reason", "Done."]);
    expect(revoked).toMatchObject({ code: 0, stdout: `${kept.grant_id} is revoked: shell: git *\n` });
    const list = async (...args: string[]) =>
      (await callJson<{ rows: GrantRow[] }>(place, ["approvals", "patterns", ...args])).rows;
    expect(await list()).toHaveLength(2);
    expect(await list("--state", "revoked")).toMatchObject([
      { grant_id: kept.grant_id, state: "revoked", revoked_by: "tester" },
    ]);
    expect(await list("--state", "all", "--limit", "1")).toHaveLength(1);
    const shown = await call(place, ["approvals", "show", idOf(ids, 1)]);
    expect(shown.stdout).toMatch(/scope +session \(gnt_\w+\): shell: git status\*/);
  });

  test("are denied with words for the agent, or given for other arguments, also from standard input", async () => {
    const place = makePlace();
    const ids = await asked(place, {}, {}, {});
    expect(await callJson(place, ["deny", idOf(ids), "--note", "Not on a Friday."])).toMatchObject({
      state: "denied",
      note: "Not on a Friday.",
    });
    const edit = '{"command":"git status"}';
    expect(await callJson(place, ["approve", idOf(ids, 1), "--edit", edit])).toMatchObject({
      state: "edited",
    });
    const piped = await cli(place, ["approve", idOf(ids, 2), "--edit", "-", "--json"], { stdin: edit });
    expect({ code: piped.code, row: JSON.parse(piped.stdout) as object }).toMatchObject({
      code: 0,
      row: { state: "edited" },
    });
  });

  test("that make no sense say so and decide nothing", async () => {
    const place = makePlace();
    const ids = await asked(place, {}, { pattern: undefined });
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await call(place, [...args, "--json"]);
      expect(stdout).toBe("");
      return { exit: code, ...(JSON.parse(stderr) as { code: string; message: string; hint: string }) };
    };
    const id = idOf(ids);
    expect(await refused("approve", id, "--pattern", "shell")).toMatchObject({ exit: 2, code: "usage" });
    expect(await refused("approve", id, "--expires", "7d")).toMatchObject({ exit: 2 });
    expect(await refused("approve", id, "--scope", "forever")).toMatchObject({ exit: 2 });
    expect(await refused("approve", id, "--scope", "session", "--expires", "soon")).toMatchObject({
      exit: 2,
    });
    expect(await refused("approve", id, "--scope", "session", "--edit", "{}")).toMatchObject({ exit: 2 });
    expect(await refused("approve", id, "--edit", "{")).toMatchObject({ exit: 2, code: "usage" });
    expect(await refused("approve", idOf(ids, 1), "--scope", "session")).toMatchObject({
      exit: 2,
      message: expect.stringContaining("--pattern"),
    });
    expect(
      await refused("approve", id, "--scope", "pattern", "--pattern", "shell: git status; rm x"),
    ).toMatchObject({ exit: 1, code: "bad_request", message: expect.stringContaining("one plain command") });
    expect(
      await refused("approve", id, "--scope", "session", "--expires", "2w", "--pattern", "web_fetch"),
    ).toMatchObject({ exit: 1, code: "bad_request" });
    expect(await refused("approvals", "revoke", "nonsense")).toMatchObject({ exit: 2, code: "usage" });
    expect(await refused("approvals", "revoke", "gnt_zzz")).toMatchObject({
      exit: 1,
      code: "grant_not_found",
      hint: expect.stringContaining("`fairlead approvals patterns --state all`"),
    });
    expect(await refused("approvals", "show", "apr_zzz")).toMatchObject({ code: "question_not_found" });
    expect(await refused("approvals", "shwo", id)).toMatchObject({ exit: 2 });
    expect((await callJson<{ rows: QuestionRow[] }>(place, ["approvals"])).rows).toHaveLength(2);
  });

  test("work the same through a server", async () => {
    const place = makePlace();
    const ids = await asked(place, {});
    await serve(place);
    const row = await callJson<QuestionRow>(place, ["approvals", "show", idOf(ids)]);
    expect(row).toMatchObject({ pattern: "shell: git status*", origin: "mode" });
    const { grant_id } = await callJson<QuestionRow>(place, ["approve", idOf(ids), "--scope", "session"]);
    const { rows } = await callJson<{ rows: GrantRow[] }>(place, ["approvals", "patterns"]);
    expect(rows).toMatchObject([{ grant_id, state: "active", pattern: "shell: git status*" }]);
    expect(await callJson(place, ["approvals", "revoke", grant_id ?? "", "--reason", "Done."])).toMatchObject(
      { grant_id, state: "revoked" },
    );
  });
});
