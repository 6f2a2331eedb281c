import { describe, expect, test } from "vitest";
import { call, callJson, jsonLines, makePlace } from "./support.ts";

interface Tree {
  readonly row: { readonly session_id: string };
  readonly branches: readonly Tree[];
}
interface Comparison {
  readonly ancestor: { readonly session_id: string; readonly seq: number } | null;
  readonly a: Side;
  readonly b: Side;
  readonly files: unknown;
  readonly files_note: string | null;
}
interface Side {
  readonly session_id: string;
  readonly turns: readonly { readonly input: string; readonly outcome: string; readonly result: string }[];
}

/** A session of two turns, a branch from its first with a turn of its own, and a branch of that. */
async function family() {
  const place = makePlace();
  const first = await call(place, ["run", "hello", "--title", "First", "--json"]);
  const root = jsonLines<{ session_id: string }>(first.stdout)[0]?.session_id ?? "";
  const { resume_points } = await callJson<{ resume_points: { resume_cursor: string }[] }>(place, [
    "sessions",
    "show",
    root,
  ]);
  await call(place, ["run", "--session", root, "one way"]);
  const cursor = resume_points[0]?.resume_cursor ?? "";
  const branch = (await call(place, ["sessions", "branch", root, "--cursor", cursor])).stdout.trim();
  await call(place, ["run", "--session", branch, "another way"]);
  const leaf = (await call(place, ["sessions", "branch", branch, "--title", "Leaf"])).stdout.trim();
  return { place, root, branch, leaf };
}

describe("sessions tree", () => {
  test("shows which branched from which, and only the tree that was asked for", async () => {
    const { place, root, branch, leaf } = await family();
    const other = (await call(place, ["run", "something else", "--json"])).stdout;
    const alone = jsonLines<{ session_id: string }>(other)[0]?.session_id ?? "";
    const { trees } = await callJson<{ trees: Tree[] }>(place, ["sessions", "tree"]);
    const shape = ({ row, branches }: Tree): unknown => [row.session_id, branches.map(shape)];
    expect(trees.map(shape)).toEqual([
      [root, [[branch, [[leaf, []]]]]],
      [alone, []],
    ]);
    const lines = (await call(place, ["sessions", "tree", leaf])).stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split("  ")[0])).toEqual([root, `└─ ${branch}`, ""]);
    expect(lines[2]).toMatch(new RegExp(`^   └─ ${leaf}  idle .* Leaf$`));
    const missing = await call(place, ["sessions", "tree", "ses_none", "--json"]);
    expect([missing.code, (JSON.parse(missing.stderr) as { code: string }).code]).toEqual([
      1,
      "session_not_found",
    ]);
  });
});

describe("sessions diff", () => {
  test("says where two part, and what each did since", async () => {
    const { place, root, branch } = await family();
    const found = await callJson<Comparison>(place, ["sessions", "diff", root, branch]);
    expect(found.ancestor).toMatchObject({ session_id: root });
    expect(found.a.turns).toMatchObject([
      { input: "one way", outcome: "completed", result: "Answer to one way." },
    ]);
    expect(found.b.turns).toMatchObject([{ input: "another way", outcome: "completed" }]);
    expect(found).toMatchObject({ files: null, files_note: "Neither has a workspace of its own." });
    const shown = await call(place, ["sessions", "diff", root, branch]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`They share ${root} up to event ${found.ancestor?.seq}`);
    expect(shown.stdout).toMatch(/turns +1 completed +1 completed/);
    expect(shown.stdout).toMatch(/completed +another way +Answer to another way\./);
    const wrong = await call(place, ["sessions", "diff", root, "ses_none", "--json"]);
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  });
});

describe("sessions offer", () => {
  test("says that a chat has no change of its own to give", async () => {
    const { place, root } = await family();
    const { code, stdout, stderr } = await call(place, ["sessions", "offer", root, "--json"]);
    expect([code, stdout, JSON.parse(stderr)]).toEqual([
      1,
      "",
      expect.objectContaining({ code: "workspace_unavailable" }),
    ]);
  });
});
