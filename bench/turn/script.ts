import type { Script } from "../../packages/runtime/src/models/script.ts";

export const ONE_TOOL = "What is the stock of part 7?";
export const TEXT = "Tell me about the harbour.";
export const ANSWER = "There are 42 of part 7 in stock, so the order can go out today.";

const SENTENCE = "The harbour wakes before the town does and the boats go out one after the other";
const WORDS = 200;
export const LONG_ANSWER = Array.from({ length: WORDS }, (_, i) => SENTENCE.split(" ")[i % 16]).join(" ");

/** What the model answers: a call and then its answer, or two hundred words. No pause anywhere. */
export const SCRIPT: Script = {
  word_ms: 0,
  rules: [
    { when: TEXT, do: [{ say: LONG_ANSWER }] },
    { when: ONE_TOOL, rounds: [[{ call: "stock_of", with: { part: 7 } }], [{ say: ANSWER }]] },
  ],
};
