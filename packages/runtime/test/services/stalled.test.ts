import { expect, it } from "vitest";
import { look } from "../golden/scene.ts";
import { DONE, LOOK, model, stage } from "../kernel/support.ts";

it("a loop whose steps change nothing ends its turn, and holds up nothing else", async () => {
  // No call may run, so nothing comes of a wave.
  const play = await stage({ limits: { parallel: 0 }, tools: [look], models: [model([LOOK], [DONE])] });
  const { last_error } = (await play.until("failed")).state ?? {};
  expect(last_error).toContain("came no further");
  expect(await play.data("runtime.request.failed")).toMatchObject([{ code: "stalled" }]);
  expect(play.w.reported).toMatchObject([{ name: "Stalled", message: expect.stringContaining("run") }]);
});
