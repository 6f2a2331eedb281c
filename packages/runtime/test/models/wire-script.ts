import { parseScript, type Script } from "../../src/models/script.ts";

export const USAGE = { input_tokens: 70, output_tokens: 50, cached_input_tokens: 30, reasoning_tokens: 20 };

/** One rule for each thing that can come over a wire. */
export const WIRE: Script = parseScript(
  JSON.stringify({
    rules: [
      { when: "plain", do: [{ say: "Hello,  “Ada”.\nIt works." }, { usage: USAGE }] },
      { when: "think", do: [{ think: "Let me see." }, { say: "Seen." }, { usage: USAGE }] },
      {
        when: "tools",
        rounds: [
          [
            { think: "Two reads." },
            { say: "Looking." },
            { call: "read_file", with: { path: "a.md" } },
            { call: "list_files", with: {} },
          ],
          [{ say: "I got {{result:read_file}} and {{result:list_files}}." }],
        ],
      },
      { when: "malformed", do: [{ call: "read_file", raw: '{"path": "a.md' }] },
      { when: "half", do: [{ say: "Well" }, { call: "read_file", with: { path: "a.md" }, half: true }] },
      { when: "long", do: [{ say: "And so" }, { finish: "length" }] },
      { when: "filtered", do: [{ say: "I" }, { finish: "filter" }] },
      { when: "cut at once", do: [{ cut: true }] },
      { when: "cut", do: [{ say: "Half an ans" }, { cut: true }] },
      { when: "garbage", do: [{ say: "So" }, { garbage: "{no json" }, { say: "on" }] },
      { when: "strange", do: [{ say: "So" }, { garbage: { choices: 5, candidates: 5, type: 7 } }] },
      { when: "limited", do: [{ fail: "Slow down.", status: 429, retry_after_ms: 1500 }] },
      { when: "broken", do: [{ fail: "Broken.", status: 500 }] },
      { when: "away", do: [{ fail: "Away.", status: 503 }] },
      { when: "overloaded", do: [{ fail: "Overloaded.", status: 529 }] },
      { when: "locked", do: [{ fail: "Bad key secret-key-1.", status: 401 }] },
      { when: "wrong", do: [{ fail: "No such model.", status: 404 }] },
      { when: "midway", do: [{ say: "Ha" }, { fail: "It broke.", status: 529 }] },
      { when: "hang", do: [{ say: "I" }, { hang: true }] },
      {
        when: "at first",
        at_first: [[{ fail: "Busy.", status: 503 }], [{ fail: "Busy.", status: 429 }]],
        do: [{ say: "Now." }],
      },
    ],
  }),
  "wire",
);
