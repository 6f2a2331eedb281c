import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../src/index.ts";
import { errorBody, ERRORS, FairleadError, isErrorCode } from "../src/index.ts";

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe("error codes", () => {
  test.each(CODES)("%s has a status, a sentence and a hint", (code) => {
    const { status, message, hint } = ERRORS[code];
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(hint).toMatch(/^.+\.$/);
  });

  test.each<[ErrorCode, number]>([
    ["session_purged", 410],
    ["question_decided", 409],
    ["question_expired", 409],
    ["turn_active", 409],
    ["seq_conflict", 409],
    ["event_invalid", 422],
    ["payload_too_large", 413],
    ["system_session", 403],
    ["job_conflict", 503],
    ["internal", 500],
  ])("%s answers %i", (code, status) => {
    expect(ERRORS[code].status).toBe(status);
  });

  test.each(["toString", "__proto__", "", "Internal"])("%j is no code", (text) => {
    expect(isErrorCode(text)).toBe(false);
  });
});

describe("FairleadError", () => {
  test("takes its sentence, hint and status from the table", () => {
    const error = new FairleadError("session_not_found");
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "FairleadError", code: "session_not_found", status: 404 });
    expect(error.message).toBe(ERRORS.session_not_found.message);
    expect(error.hint).toBe(ERRORS.session_not_found.hint);
  });

  test("carries a better sentence, details and a cause", () => {
    const cause = new Error("deep");
    const error = new FairleadError("seq_conflict", {
      message: "At 7.",
      details: { head: 7 },
      cause,
    });
    expect(error).toMatchObject({ message: "At 7.", details: { head: 7 }, cause });
  });
});

describe("errorBody", () => {
  test("is what a client is told", () => {
    expect(errorBody(new FairleadError("turn_active", { details: { turn_id: "trn_1" } }), "req_1")).toEqual({
      code: "turn_active",
      message: ERRORS.turn_active.message,
      hint: ERRORS.turn_active.hint,
      request_id: "req_1",
      details: { turn_id: "trn_1" },
    });
  });

  test("leaves details out when there are none", () => {
    expect(errorBody(new FairleadError("not_found"), "req_1")).not.toHaveProperty("details");
  });

  test("never tells what an unexpected error says", () => {
    const secret = new Error("password=hunter2 at /home/someone");
    for (const thrown of [secret, "password=hunter2", undefined, { code: "not_found" }]) {
      const text = JSON.stringify(errorBody(thrown, "req_1"));
      expect(text).toContain('"internal"');
      expect(text).not.toContain("hunter2");
      expect(text).not.toContain("stack");
    }
  });
});
