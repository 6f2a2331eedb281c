import { expectTypeOf, test } from "vitest";
import type { EventData, FrontendFrame, FrontendPayload, NewEvent } from "../src/index.ts";

test("a frame's name says what its payload is", () => {
  expectTypeOf<FrontendFrame<"token">["payload"]["text"]>().toEqualTypeOf<string>();
  expectTypeOf<FrontendFrame["payload"]>().toEqualTypeOf<unknown>();
  expectTypeOf<FrontendFrame<"runtime.future">["payload"]>().toEqualTypeOf<unknown>();
});

test("both bad ends of a turn look alike", () => {
  expectTypeOf<FrontendPayload<"error">>().toEqualTypeOf<EventData<"runtime.request.failed">>();
});

test("an approval need not say that it is one", () => {
  expectTypeOf<{
    request_id: "apr_1";
    tool_name: string;
    reason: string;
  }>().toExtend<FrontendPayload<"approval_required">>();
});

test("a new event is checked against its own type's data", () => {
  expectTypeOf<{ type: "agent.output.delta"; data: { text: string } }>().toExtend<NewEvent>();
  expectTypeOf<{ type: "agent.output.delta"; data: { words: string } }>().not.toExtend<NewEvent>();
  expectTypeOf<{ type: "agent.nothing"; data: object }>().not.toExtend<NewEvent>();
});
