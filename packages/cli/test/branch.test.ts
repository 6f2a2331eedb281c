import { describe, expect, test } from "vitest";
import { call, callJson, jsonLines, makePlace } from "./support.ts";

interface Detail {
  readonly session_id: string;
  readonly resume_points: readonly { readonly resume_cursor: string; readonly event_id: string }[];
  readonly channel: { readonly channel_id: string };
}
interface Row {
  readonly session_id: string;
  readonly title: string;
  readonly state: Readonly<Record<string, unknown>>;
}

async function talked() {
  const place = makePlace();
  const first = await call(place, ["run", "hello", "--title", "First", "--json"]);
  const session = jsonLines<{ session_id: string }>(first.stdout)[0]?.session_id ?? "";
  await call(place, ["run", "--session", session, "and then"]);
  return { place, session };
}

describe("sessions show", () => {
  test("says where a session stands, and the places to branch from", async () => {
    const { place, session } = await talked();
    const detail = await callJson<Detail>(place, ["sessions", "show", session]);
    expect(detail.channel.channel_id).toBe(`session:${session}`);
    expect(detail.resume_points).toHaveLength(2);
    const shown = await call(place, ["sessions", "show", session]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(new RegExp(`id +${session}\ntitle +First\n`));
    expect(shown.stdout).toMatch(/modes +normal, on_request/);
    expect(shown.stdout).toContain(`${detail.resume_points[0]?.resume_cursor}  `);
    expect(shown.stdout).toMatch(/hello$/m);
    const one = await callJson<Detail>(place, ["sessions", "show", session, "--limit", "1"]);
    expect(one.resume_points).toEqual(detail.resume_points.slice(-1));
  });
});

describe("sessions branch", () => {
  test("goes on from the end, an event or a cursor, and the branch can be talked to", async () => {
    const { place, session } = await talked();
    const { resume_points } = await callJson<Detail>(place, ["sessions", "show", session]);
    const [first] = resume_points;
    const cursor = first?.resume_cursor ?? "";
    const chosen = [
      "--title",
      "Another way",
      "--permission-mode",
      "plan",
      "--think",
      "low",
      "--reflect",
      "finish,failures:3",
    ];
    const byCursor = await callJson<Row>(place, [
      "sessions",
      "branch",
      session,
      "--cursor",
      cursor,
      ...chosen,
    ]);
    expect(byCursor).toMatchObject({
      title: "Another way",
      state: {
        parent_session_id: session,
        branch_source_event_id: first?.event_id,
        branch_resume_cursor: cursor,
        permission_mode: "plan",
        think_level: "low",
        reflection: { before_finish: true, after_failures: 3 },
      },
    });
    const byEvent = await callJson<Row>(place, [
      "sessions",
      "branch",
      session,
      "--from",
      first?.event_id ?? "",
    ]);
    expect(byEvent.state).toMatchObject({ branch_resume_cursor: cursor });
    const atEnd = await call(place, ["sessions", "branch", session]);
    expect(atEnd.stdout.trim()).toMatch(/^ses_\w+$/);
    expect((await call(place, ["run", "--session", atEnd.stdout.trim(), "go on"])).stdout).toBe(
      "Answer to go on.\n",
    );
    expect((await call(place, ["sessions", "show", byCursor.session_id])).stdout).toMatch(
      new RegExp(`branched from +${session}`),
    );
  });

  test("says what is wrong with a place, and takes one only", async () => {
    const { place, session } = await talked();
    const code = async (...args: readonly string[]) => {
      const { code: exit, stdout, stderr } = await call(place, ["sessions", "branch", ...args, "--json"]);
      return [exit, stdout, (JSON.parse(stderr) as { code: string }).code];
    };
    expect(await code(session, "--cursor", "nonsense")).toEqual([1, "", "resume_cursor_invalid"]);
    expect(await code(session, "--from", "evt_none")).toEqual([1, "", "event_not_found"]);
    expect(await code("ses_none")).toEqual([1, "", "session_not_found"]);
    expect(await code(session, "--from", "evt_1", "--cursor", "turn:a:1")).toEqual([2, "", "usage"]);
    expect(await code(session, "--think", "hard")).toEqual([2, "", "usage"]);
    for (const when of ["always", "failures:0", "finish,", "off,finish", ""])
      expect(await code(session, "--reflect", when)).toEqual([2, "", "usage"]);
  });
});
