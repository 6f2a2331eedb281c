import { expect, test } from "vitest";
import type { FrontendFrame } from "../src/index.ts";
import { EMPTY_SUMMARY, evolveSummary } from "../src/view/index.ts";

const AT = "2026-01-01T00:00:00.000Z";
type Said = readonly [type: string, payload: unknown];

const call = (id: string, name: string, args: object): Said => [
  "tool_call",
  { name, tool_call_id: id, arguments: args },
];
const ended = (id: string, status: string): Said => [
  "tool_outcome",
  { tool_call_id: id, tool_name: "any", outcome_type: "x", status, elapsed_ms: 1 },
];
const filesAfter = (...said: readonly Said[]) =>
  said
    .map(
      ([type, payload], index) =>
        ({
          type,
          payload,
          id: `evt_${index}`,
          seq: index + 1,
          session_id: "ses_1",
          at: AT,
          tier: "default",
        }) as FrontendFrame,
    )
    .reduce(evolveSummary, EMPTY_SUMMARY).files;

const write = (id: string, content: string): Said =>
  call(id, "write_file", { path: "a.txt", content, _tool_call_id: id });

test.each(["denied", "error", "timeout"])("a write that ended with %s changed no file", (status) => {
  expect(filesAfter(write("c1", "x"), ended("c1", status))).toEqual([]);
});

test("a write counts when it is done, and once", () => {
  expect(filesAfter(write("c1", "x"))).toEqual([]);
  const twice = filesAfter(write("c1", "x"), write("c1", "x"), ended("c1", "ok"), ended("c1", "ok"));
  expect(twice).toMatchObject([{ path: "a.txt", changes: [{ callId: "c1", before: null, after: "x" }] }]);
  expect(twice[0]?.changes).toHaveLength(1);
});

test("several changes of a file are all there, in order, and the file that was changed last is first", () => {
  const edit = call("c3", "edit_file", { path: "a.txt", old_text: "x", new_text: "y" });
  const other = call("c2", "write_file", { path: "b.txt", content: "b" });
  const files = filesAfter(
    write("c1", "x"),
    ended("c1", "ok"),
    other,
    ended("c2", "ok"),
    edit,
    ended("c3", "ok"),
    write("c4", "no"),
    ended("c4", "denied"),
  );
  expect(files.map(({ path, changes }) => [path, changes.map(({ after }) => after)])).toEqual([
    ["a.txt", ["x", "y"]],
    ["b.txt", ["b"]],
  ]);
});

test("the tools of other agents count, and what only reads does not", () => {
  const files = filesAfter(
    call("c1", "Edit", { file_path: "/p/a.ts", old_string: "1", new_string: "2" }),
    ended("c1", "ok"),
    call("c2", "Write", { file_path: "/p/b.ts", content: "3" }),
    ended("c2", "ok"),
    call("c3", "Read", { file_path: "/p/c.ts" }),
    ended("c3", "ok"),
    call("c4", "toString", { path: "d.ts" }),
    ended("c4", "ok"),
  );
  expect(files.map(({ path, changes }) => [path, changes[0]?.before, changes[0]?.after])).toEqual([
    ["/p/b.ts", null, "3"],
    ["/p/a.ts", "1", "2"],
  ]);
});

test("an edited call is shown as it was called, not as it was asked about", () => {
  const asked = { request_id: "apr_1", tool_call_id: "c1", tool_name: "write_file", reason: "r" };
  const changes = (decision: string) =>
    filesAfter(
      ["approval_required", { ...asked, shown: { diff: "--- a\n+++ b" } }],
      ["approval_applied", { request_id: "apr_1", decision, actor: "ada", decided_at: AT }],
      write("c1", "edited"),
      ended("c1", "ok"),
    )[0]?.changes;
  expect(changes("edited")).toMatchObject([{ path: "a.txt", diff: null, after: "edited" }]);
  expect(changes("approved")).toMatchObject([{ path: "a.txt", diff: "--- a\n+++ b" }]);
});
