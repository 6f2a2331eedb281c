import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { background, call, callJson, jsonLines, makePlace, serve } from "./support.ts";

interface Row {
  readonly session_id: string;
  readonly kind: string;
  readonly status: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly health: { readonly score: number };
}

describe("background work without a server", () => {
  test("is started with budgets and with what it owes, and its time can be taken away", async () => {
    const place = makePlace();
    const started = await callJson<Row>(place, [
      "sessions",
      "start",
      "count",
      "--expires=12h",
      '--health={"max_total_tokens": 5000}',
      "--requires=command:npm test",
      "--requires=rule:tasks_completed",
    ]);
    expect(started.state).toMatchObject({
      metadata: { policy: { health: { max_total_tokens: 5000 } } },
      requires: [
        { kind: "command", command: "npm test" },
        { kind: "rule", rule: "tasks_completed" },
      ],
      expires_at: expect.any(String),
    });
    const freed = await callJson<Row>(place, ["sessions", "policy", started.session_id, "--expires=none"]);
    expect(freed.state).toMatchObject({ expires_at: null });
  });

  test("is done here when it is followed, and the exit code says how it ended", async () => {
    const place = makePlace();
    const done = await call(place, ["sessions", "start", "count to ten", "--follow", "--max-retries", "0"]);
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toMatch(/^ses_\w+\nqueued\n/);
    expect(done.stdout).toContain("· step-1 completed: answered");
    expect(done.stdout).toMatch(/completed\n\nAnswer to count to ten\.\n/);
    const failed = await call(place, ["sessions", "start", "please fail", "--follow", "--max-retries", "0"]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain("failed: The provider broke.");
    const { rows } = await callJson<{ rows: Row[] }>(place, ["sessions", "--kind", "background"]);
    expect(rows.map(({ status }) => status).toSorted()).toEqual(["completed", "failed"]);
    expect(rows.find(({ status }) => status === "completed")?.health.score).toBe(100);
  });

  test("is shown with its engine and its attempts", async () => {
    const place = makePlace();
    const { stdout } = await call(place, [
      "sessions",
      "start",
      "count",
      "--follow",
      "--json",
      "--title",
      "Counting",
    ]);
    const session = jsonLines<{ session_id: string }>(stdout)[0]?.session_id ?? "";
    const shown = await call(place, ["sessions", "show", session]);
    expect(shown.stdout).toMatch(/kind +background\nstatus +completed\n/);
    expect(shown.stdout).toMatch(/engine +native\nattempts +1, and 3 retries at most\n/);
    expect(shown.stdout).toContain("final_output");
  });

  test("is refused with a code where it cannot be, and nothing is made", async () => {
    const place = makePlace();
    const started = await callJson<Row>(place, ["sessions", "start", "count"]);
    expect(started).toMatchObject({ kind: "background" });
    const bad: readonly (readonly [readonly string[], number, string])[] = [
      [["start", "x", "--engine", "steam"], 1, "engine_unknown"],
      [["start", "x", "--engine", "codex"], 1, "engine_not_installed"],
      [["start", "  "], 2, "usage"],
      [["start", "x", "--max-retries", "many"], 2, "usage"],
      [["start", "x", "--metadata", "[1]"], 2, "usage"],
      [["start", "x", "--expires", "soon"], 2, "usage"],
      [["start", "x", "--expires", "none"], 2, "usage"],
      [["start", "x", "--health", "[]"], 2, "usage"],
      [["start", "x", "--health", '{"max_cost": 1}'], 2, "usage"],
      [["start", "x", "--requires", "npm test"], 2, "usage"],
      [["start", "x", "--requires", "rule:all_is_well"], 2, "usage"],
      [["policy", started.session_id, "--health", "{"], 2, "usage"],
      [["pause", "ses_nobody"], 1, "session_not_found"],
      [["follow", "ses_nobody"], 1, "session_not_found"],
    ];
    for (const [args, code, name] of bad) {
      const outcome = await call(place, ["sessions", ...args, "--json"]);
      expect({ args, code: outcome.code }).toEqual({ args, code });
      expect(JSON.parse(outcome.stderr.trim().split("\n").at(-1) ?? "{}")).toMatchObject({ code: name });
    }
    const { rows } = await callJson<{ rows: Row[] }>(place, ["sessions"]);
    expect(rows).toHaveLength(1);
  });
});

describe("background work on a server", () => {
  test("is started, paused, resumed, held to something and cancelled from the terminal", async () => {
    const place = makePlace();
    await serve(place);
    const started = await call(place, [
      "sessions",
      "start",
      "please hang",
      "--expires",
      "2d",
      "--alias",
      "slow",
    ]);
    expect(started.stderr).toContain("It goes on by itself.");
    const follower = background(place, ["sessions", "follow", "slow"]);
    await follower.until(/step-1 …/);
    const paused = await call(place, ["sessions", "pause", "slow", "--reason", "lunch"]);
    expect(paused).toMatchObject({ code: 0, stdout: expect.stringContaining("running") });
    expect(paused.stderr).toContain("It waits from its next step on.");
    expect((await call(place, ["sessions", "resume", "slow"])).code).toBe(0);
    const held = await callJson<Row>(place, ["sessions", "policy", "slow", "--max-retries", "9"]);
    expect(held.state).toMatchObject({ max_retries: 9 });
    expect(await call(place, ["sessions", "resume", "slow", "--json"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("session_state"),
    });
    const cancelled = await callJson<Row>(place, ["sessions", "cancel", "slow", "--reason", "enough"]);
    expect(cancelled.status).toBe("cancelled");
    const { code, stdout } = await follower.ended;
    expect([code, stdout]).toEqual([1, expect.stringContaining("cancelled")]);
    const ended = await call(place, ["sessions", "pause", "slow"]);
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("sessions resume SESSION --cursor"),
    });
  });

  test("that needs review is accepted from the terminal, once", async () => {
    const place = makePlace();
    const { url } = await serve(place);
    const [file = ""] = readdirSync(join(place.config, "servers"));
    const kept = readFileSync(join(place.config, "servers", file), "utf8");
    const { token } = JSON.parse(kept) as { token: string };
    const reply = await fetch(`${url}/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ task: "count", requires: [{ kind: "command", command: "npm test" }] }),
    });
    const { session_id } = (await reply.json()) as Row;
    const followed = await call(place, ["sessions", "follow", session_id]);
    expect(followed.stdout).toContain("needs_review");
    const accepted = await call(place, ["sessions", "accept", session_id, "--reason", "Read it all."]);
    expect(accepted).toMatchObject({ code: 0, stdout: `${session_id}  completed\n` });
    const shown = await call(place, ["sessions", "show", session_id]);
    expect(shown.stdout).toContain("Read it all.");
    expect(await call(place, ["sessions", "accept", session_id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The session has ended"),
    });
  });

  test("goes on from a place in it, as a session of its own", async () => {
    const place = makePlace();
    await serve(place);
    const first = await call(place, ["sessions", "start", "count", "--follow", "--json"]);
    const session = jsonLines<{ session_id: string }>(first.stdout)[0]?.session_id ?? "";
    const { resume_points } = await callJson<{ resume_points: { resume_cursor: string }[] }>(place, [
      "sessions",
      "show",
      session,
    ]);
    const cursor = resume_points[0]?.resume_cursor ?? "";
    const branch = await callJson<Row>(place, [
      "sessions",
      "resume",
      session,
      "--cursor",
      cursor,
      "--say",
      "again",
    ]);
    expect(branch.session_id).not.toBe(session);
    const followed = await call(place, ["sessions", "follow", branch.session_id]);
    expect([followed.code, followed.stdout]).toEqual([0, expect.stringContaining("Answer to again.")]);
  });
});
