import { expect, test } from "vitest";
import { timelineOf } from "../src/view/index.ts";
import { AT, frame } from "./support/frame.ts";

const asked = frame("approval_required", { request_id: "apr_1", tool_name: "model", reason: "Go on?" });
const ended = (more: object) =>
  frame("approval_applied", {
    request_id: "apr_1",
    tool_name: "model",
    decision: "expired",
    actor: "ada",
    decided_at: AT,
    ...more,
  });

test("a question that was withdrawn is told apart from one whose time ran out", () => {
  expect(timelineOf([asked, ended({ moot: true })])).toMatchObject([{ decided: { moot: true } }]);
  const [row] = timelineOf([asked, ended({})]);
  expect(row).toMatchObject({ decided: { decision: "expired" } });
  expect(row?.kind === "question" && row.decided !== null && "moot" in row.decided).toBe(false);
});

test("also where it was asked before the window begins", () => {
  expect(timelineOf([ended({ moot: true })])).toMatchObject([
    { requestId: "apr_1", decided: { moot: true } },
  ]);
});
