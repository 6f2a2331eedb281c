import { describe, expect, it } from "vitest";
import { ADA, gated, golden, model, type Scene, scene, writer } from "./scene.ts";

/** Cancels, and sees that nothing happens after that. */
async function cancelled(name: string, play: Scene): Promise<void> {
  await play.w.services.turns.cancel(ADA, play.session, "changed my mind");
  const ends = (await play.events()).filter((event) => event.type === "runtime.turn.ended");
  expect(ends.at(-1)?.data).toMatchObject({ status: "cancelled", reason: "changed my mind" });
  const head = (await play.events()).length;
  await play.w.time.advance(120_000);
  await play.w.services.turns.recover();
  expect((await play.events()).length).toBe(head);
  await golden(name, play);
}

describe("the transcript of a turn that is cancelled", () => {
  it("while the model speaks", async () => {
    const play = await scene({ models: [model({ do: [{ say: "Once upon" }, { hang: true }] })] });
    await play.start("Tell me a story.");
    await play.until("agent.output.delta");
    await cancelled("cancel-model-call", play);
  });

  it("while a tool runs, with another behind it", async () => {
    const play = await scene(
      {
        models: [
          model({
            rounds: [
              [
                { call: "wait", with: { what: "for news" } },
                { call: "change", with: { what: "the flag" } },
              ],
              [{ say: "Done." }],
            ],
          }),
        ],
        tools: [gated(), writer],
      },
      { permission_mode: "full_access" },
    );
    await play.start("Wait, then change the flag.");
    await play.until("agent.tool.batch");
    await cancelled("cancel-tool-run", play);
  });

  it("while it waits for a person", async () => {
    const play = await scene({
      models: [model({ rounds: [[{ call: "change", with: { what: "the flag" } }], [{ say: "Done." }]] })],
      tools: [writer],
    });
    await play.start("Change the flag.");
    await play.rest();
    await cancelled("cancel-parked", play);
  });

  it("between two tries of a model call", async () => {
    const play = await scene({
      models: [model({ do: [{ fail: "Overloaded.", status: 503 }] })],
      limits: { callTries: 3, retryMs: 5_000 },
    });
    await play.start("Hello?");
    await play.until("runtime.policy.decision", 2);
    await cancelled("cancel-between", play);
  });
});
