import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADA, gated, golden, look, model, scene, tool, writer } from "./scene.ts";

describe("the transcript", () => {
  it("of reads that run side by side, and of one that comes after", async () => {
    const play = await scene({
      models: [
        model({
          rounds: [
            [
              { think: "Three things to see." },
              { say: "I look." },
              { call: "look", with: { what: "the door" } },
              { call: "look", with: { what: "the window" } },
              { call: "look", with: { what: "the roof" } },
            ],
            [{ call: "look", with: { what: "the cellar" } }],
            [{ say: "All is well." }],
          ],
        }),
      ],
      tools: [look],
    });
    await play.start("Is the house in order?");
    await play.rest();
    await golden("parallel-reads", play);
  });

  it("of every way in which a tool can end", async () => {
    const play = await scene(
      {
        models: [
          model({
            rounds: [
              [{ call: "look", with: { what: "the door" } }],
              [{ call: "break", with: { what: "it" } }],
              [{ call: "refuse", with: { what: "it" } }],
              [{ call: "sleep", with: { what: "long" } }],
              [{ call: "recite", with: { what: "the epic" } }],
              [{ call: "change", with: { what: "the lock" } }],
              [{ say: "That was all." }],
            ],
          }),
        ],
        tools: [
          look,
          tool("break", () => Promise.reject(new Error("It broke."))),
          tool("refuse", async () => ({ result: { exit_code: 1 }, text: "It ended with 1.", failed: true })),
          tool("sleep", (_, { signal }) => {
            const never = Promise.withResolvers<never>();
            signal.addEventListener("abort", () => never.reject(new Error("Woken.")));
            return never.promise;
          }),
          tool("recite", async () => ({ result: "Sing, o muse. ".repeat(40) })),
          writer,
        ],
        toolLimits: { toldChars: 200, head: 40, tail: 20 },
      },
      { permission_mode: "plan" },
    );
    await play.start("Try everything.");
    await play.until("agent.tool.batch", 4);
    await play.w.time.advance(1_000);
    await play.rest();
    await golden("tool-outcomes", play);
    const statuses = (await play.events())
      .filter((event) => event.type === "agent.tool.outcome")
      .map((event) => (event.data as { status: string }).status);
    expect(statuses).toEqual(["ok", "error", "error", "timeout", "artifact", "denied"]);
  });

  it("of a call that is mended here, and of one that the model mends", async () => {
    const play = await scene({
      models: [
        model({
          rounds: [
            [{ call: "examne", with: { what: "the door", times: "2" } }],
            [
              { call: "examine", with: { times: 2 } },
              { call: "listen", with: { what: "the door" } },
            ],
            [{ call: "examine", with: { what: "the door" } }],
            [{ say: "Now I see." }],
          ],
        }),
      ],
      tools: [tool("examine", look.run)],
    });
    await play.start("Look twice.");
    await play.rest();
    await golden("repair", play);
  });

  it("of a model that never gets its calls right", async () => {
    const play = await scene({
      models: [model({ do: [{ call: "look", with: { where: "here" } }] })],
      tools: [look],
      limits: { misfits: 2 },
    });
    await play.start("Look.");
    await play.rest();
    await golden("repair-limit", play);
  });

  it("of another provider that stands in for one that fails", async () => {
    const play = await scene({
      models: [
        model({ do: [{ say: "I was about to" }, { fail: "Overloaded.", status: 503 }] }, "main"),
        model({ do: [{ say: "I am here instead." }] }, "spare"),
      ],
      fallbacks: ["spare"],
    });
    await play.start("Hello?");
    await play.rest();
    await golden("provider-fallback", play);
  });

  it("of a word to a turn that is under way", async () => {
    const gate = gated();
    const script = {
      rules: [
        { when: "quick", do: [{ say: "I heard: {{prompt}}" }] },
        {
          rounds: [
            [
              { call: "wait", with: { what: "for news" } },
              { call: "look", with: { what: "the sea" } },
            ],
          ],
        },
      ],
    };
    const play = await scene({ models: [scriptedModel({ script })], tools: [gate, look] });
    await play.start("Wait for news.");
    await play.until("agent.tool.batch");
    await play.w.services.turns.steer(ADA, play.session, { input: "And be quick." });
    gate.letGo({ result: "A ship." });
    await play.rest();
    await golden("steer", play);
  });

  it("of a request that waits for the turn before it", async () => {
    const gate = gated();
    const play = await scene({
      models: [
        model({ rounds: [[{ call: "wait", with: { what: "for news" } }], [{ say: "Done: {{prompt}}" }]] }),
      ],
      tools: [gate],
    });
    await play.start("First.");
    await play.until("agent.tool.batch");
    await play.w.services.turns.queue(ADA, play.session, { input: "Second." });
    gate.letGo({ result: "A ship." });
    await play.until("runtime.request.started", 2);
    await play.rest();
    await golden("queue", play);
  });
});
