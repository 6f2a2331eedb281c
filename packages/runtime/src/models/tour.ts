import type { CallStep, Rule } from "./script.ts";

const NOTE = "fairlead-demo.md";
const ASKED = ["what can you do", "show me what you can", "run the demo", "show me a demo", "give me a tour"];

const TITLES = ["Look around the workspace", "Leave a note, if I may", "Make a mistake and mend it"];

/** The list with so many tasks done; the one after them is under way. `note`: what became of the second. */
function tasks(done: number, note: "completed" | "skipped" = "completed"): CallStep {
  const status = (index: number): string => {
    if (index < done) return index === 1 ? note : "completed";
    return index === done ? "in_progress" : "pending";
  };
  const list = TITLES.map((title, index) => ({ id: String(index + 1), title, status: status(index) }));
  return { call: "update_tasks", with: { tasks: list } };
}

/** A round trip through real tools, for whoever asks what there is to see. What it says of them, they did. */
export const tourRules = (self: string): readonly Rule[] => [
  {
    when: ASKED,
    needs: ["update_tasks", "list_files", "read_file", "local_search", "write_file"],
    rounds: [
      [
        {
          think:
            "No provider is set up, so the words are from a script. The tools are real: I can show those.",
        },
        {
          say: "I am Fairlead's scripted model: no provider is set up yet, so my words are written beforehand. The tools I call are real, and so is all that guards them. First a plan, and a look at what is here.",
        },
        tasks(0),
        { call: "list_files", with: {} },
      ],
      [
        {
          say: "Now three reads side by side: none of them changes anything, so none has to wait for the others.",
        },
        { call: "list_files", with: { pattern: "**/*.md" } },
        { call: "read_file", with: { path: "{{file}}", limit: 40 } },
        { call: "local_search", with: { query: "TODO" } },
      ],
      [
        {
          say: `Next I want to write a file, \`${NOTE}\`. That changes something, so whether I may is not mine to decide.`,
        },
        tasks(1),
        {
          call: "write_file",
          with: {
            path: NOTE,
            content:
              "# A note from the demo\n\nFairlead's scripted model wrote this file through the `write_file` tool.\nThe call was recorded before it ran, and its outcome after. Delete it whenever you like.\n",
          },
        },
      ],
      [
        {
          when_failed: true,
          tool: "write_file",
          do: [
            {
              say: "I may not write it, so nothing was written. That is a good answer too: I go on without the note. Let me show how a mistake is handled instead.",
            },
            { call: "read_file", with: { path: "no-such-folder/{{file}}" } },
          ],
        },
        {
          do: [
            { say: "The note is there. I read it back, at a path that I got wrong on purpose." },
            tasks(2),
            { call: "read_file", with: { path: `notes/${NOTE}` } },
          ],
        },
      ],
      [
        {
          when_failed: true,
          tool: "write_file",
          do: [
            { say: "As it should, that failed, and I was told why. I try again with a path that exists." },
            { call: "read_file", with: { path: "{{file}}", limit: 5 } },
          ],
        },
        {
          do: [
            { say: "As it should, that failed, and I was told why. Here is the right path." },
            { call: "read_file", with: { path: NOTE } },
          ],
        },
      ],
      [
        { when_failed: true, tool: "write_file", do: [tasks(TITLES.length, "skipped")] },
        { do: [tasks(TITLES.length)] },
      ],
      [
        {
          when_failed: true,
          tool: "write_file",
          do: [{ say: summary(self, "asked to write a file, was told no, and left everything as it was") }],
        },
        { do: [{ say: summary(self, `wrote \`${NOTE}\` and read it back`) }] },
      ],
    ],
  },
];

function summary(self: string, write: string): string {
  return [
    "That was the tour. In this turn I:",
    "",
    "1. made a plan and kept it up to date,",
    "2. read three things side by side,",
    `3. ${write},`,
    "4. made a call that failed, learned why, and mended it.",
    "",
    "Each call was recorded before it ran and its outcome after, so a crash at any point would have cost nothing and repeated nothing.",
    "",
    `See it again with \`${self} sessions\` and \`${self} tail SESSION\`, and check it with \`${self} verify\`. To talk to a real model, set \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\` or \`GEMINI_API_KEY\`, or name one of your own in \`fairlead.yaml\`.`,
  ].join("\n");
}
