import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, callJson, jsonLines, makePlace, type Place, serve } from "./support.ts";

interface Row {
  readonly session_id: string;
  readonly title: string | null;
  readonly state: { readonly workspace?: string; readonly workspace_id?: string | null };
}
const put = (content: string) => ({ call: "write_file", with: { path: "one.txt", content } });
const MODE = ["--permission-mode", "full_access"];

function configure({ cwd }: Place, chats: string): void {
  writeFileSync(join(cwd, "fairlead.yaml"), `workspaces:\n  chats: { ${chats} }\n`);
}

function writing(repository: boolean): Place {
  const place = makePlace();
  const rules = [
    { when: "first", rounds: [[put("1\n")], [{ say: "One." }]] },
    { when: "second", rounds: [[put("2\n")], [{ say: "Two." }]] },
    { when: "other", rounds: [[put("other\n")], [{ say: "Other." }]] },
  ];
  writeFileSync(place.env["FAIRLEAD_SCRIPT"] ?? "", JSON.stringify({ rules }));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: place.cwd, env: place.env, stdio: "pipe" });
  configure(place, "max_seconds: 60");
  writeFileSync(join(place.cwd, "kept.txt"), "k");
  writeFileSync(join(place.cwd, ".env"), "TOKEN=hunter2");
  if (repository) {
    git("init", "--quiet");
    git("add", "kept.txt");
    git(
      "-c",
      "user.name=Ada",
      "-c",
      "user.email=ada@example.org",
      "commit",
      "--quiet",
      "-m",
      "The beginning",
    );
  }
  return place;
}

async function twice(place: Place): Promise<string> {
  const first = await call(place, ["run", "first", "--title", "Tidy up", "--json", ...MODE]);
  expect(first).toMatchObject({ code: 0 });
  const session = jsonLines<{ session_id: string }>(first.stdout)[0]?.session_id ?? "";
  expect(await call(place, ["run", "--session", session, "second"])).toMatchObject({ code: 0 });
  return session;
}

const read = (root: string | undefined, path: string) => {
  const place = join(root ?? "", path);
  return existsSync(place) ? readFileSync(place, "utf8") : null;
};

describe.each([true, false])("a chat that wrote (repository: %s)", (repository) => {
  test("is branched from before its last write, goes on there, and both are compared", async () => {
    const place = writing(repository);
    const session = await twice(place);
    const shown = await callJson<{ resume_points: { resume_cursor: string }[] }>(place, [
      "sessions",
      "show",
      session,
    ]);
    const cursor = shown.resume_points.find(({ resume_cursor }) =>
      resume_cursor.startsWith("turn:"),
    )?.resume_cursor;
    const row = await callJson<Row>(place, ["sessions", "branch", session, "--cursor", cursor ?? ""]);
    expect(row.title).toBe("Tidy up (branch 1)");
    const root = row.state.workspace;
    expect([read(root, "one.txt"), read(root, "kept.txt"), read(root, ".env")]).toEqual(["1\n", "k", null]);
    expect(await call(place, ["run", "--session", row.session_id, "other"])).toMatchObject({ code: 0 });
    expect([read(root, "one.txt"), read(place.cwd, "one.txt")]).toEqual(["other\n", "2\n"]);
    const diff = await call(place, ["sessions", "diff", session, row.session_id, "--patch"]);
    expect(diff.stdout).toContain("one.txt");
    expect(diff.stdout).toMatch(/^-2\n\+other$/m);
    const offer = await callJson<{ files: unknown[]; branch: string | null }>(place, [
      "sessions",
      "offer",
      row.session_id,
    ]);
    expect(offer.files).toMatchObject([{ path: "one.txt", status: "modified" }]);
    expect(offer.branch).toBe(repository ? `fairlead/${row.session_id}` : null);
  });

  test("is branched at its head into the project itself", async () => {
    const place = writing(repository);
    const session = await twice(place);
    const row = await callJson<Row>(place, ["sessions", "branch", session]);
    expect(row.state.workspace_id ?? null).toBeNull();
    expect(await call(place, ["run", "--session", row.session_id, "other"])).toMatchObject({ code: 0 });
    expect(read(place.cwd, "one.txt")).toBe("other\n");
  });
});

test("over HTTP a chat is branched at any event, and a place that is not there makes nothing", async () => {
  const place = writing(true);
  await serve(place);
  const session = await twice(place);
  const { stdout } = await call(place, ["tail", session, "--json", "--no-follow"]);
  const [first = ""] = /evt_\w+/.exec(stdout) ?? [];
  const row = await callJson<Row>(place, ["sessions", "branch", session, "--from", first]);
  expect([read(row.state.workspace, "one.txt"), read(row.state.workspace, "kept.txt")]).toEqual([null, "k"]);
  const count = async () => (await callJson<{ rows: Row[] }>(place, ["sessions"])).rows.length;
  const before = await count();
  const missing = await call(place, ["sessions", "branch", session, "--from", "evt_none", "--json"]);
  expect([missing.code, (JSON.parse(missing.stderr) as { code: string }).code]).toEqual([
    1,
    "event_not_found",
  ]);
  expect(await count()).toBe(before);
});

test("nothing is kept where that is switched off, and a limit that is none is refused", async () => {
  const place = writing(false);
  configure(place, "keep: false");
  const session = await twice(place);
  const { resume_points } = await callJson<{ resume_points: { resume_cursor: string }[] }>(place, [
    "sessions",
    "show",
    session,
  ]);
  const cursor = resume_points[0]?.resume_cursor ?? "";
  const row = await callJson<Row>(place, ["sessions", "branch", session, "--cursor", cursor]);
  expect([row.state.workspace_id ?? null, existsSync(join(place.data, "workspaces"))]).toEqual([null, false]);
  configure(place, "max_files: 0");
  const refused = await call(place, ["run", "first"]);
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining("max_files")]);
});
