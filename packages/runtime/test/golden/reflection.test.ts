import { expect, it } from "vitest";
import { golden, model, scene, tool, writer } from "./scene.ts";

const broken = tool("open", () => Promise.reject(new Error("It is locked.")));

it("the transcript of a model that looks back after failures", async () => {
  const play = await scene(
    {
      models: [
        model({
          rounds: [
            [{ say: "I open it." }, { call: "open", with: { what: "the door" } }],
            [{ call: "open", with: { what: "the door", times: 2 } }],
            [{ think: "Twice the same." }, { say: "I assumed that it is open. I ask for the key." }],
            [{ say: "The door is locked. Where is the key?" }],
          ],
        }),
      ],
      tools: [broken],
    },
    { reflection: { after_failures: 2 } },
  );
  await play.start("Open the door.");
  await play.rest();
  await golden("reflection-after-failures", play);
  const said = (await play.events()).filter(({ type }) => type === "agent.reflection");
  expect(said).toMatchObject([
    { data: { text: "I assumed that it is open. I ask for the key.", trigger: "after_failures", step: 3 } },
  ]);
});

it("the transcript of a model that looks back before it finishes, and finds something", async () => {
  const play = await scene(
    {
      models: [
        model({
          rounds: [
            [{ call: "change", with: { what: "the lock" } }],
            [{ say: "The lock is changed." }],
            [{ say: "The key does not fit yet." }, { call: "change", with: { what: "the key" } }],
            [{ say: "Lock and key are changed." }],
            [{ say: "Both were changed; nothing is missing." }],
          ],
        }),
      ],
      tools: [writer],
    },
    { reflection: { before_finish: true }, permission_mode: "full_access" },
  );
  await play.start("Change the lock.");
  await play.rest();
  await golden("reflection-before-finish", play);
  const completed = (await play.events()).find(({ type }) => type === "runtime.request.completed");
  expect(completed?.data).toMatchObject({ output: "Lock and key are changed." });
});
