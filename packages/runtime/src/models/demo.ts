import type { Script } from "./script.ts";
import { tourRules } from "./tour.ts";

/** What the scripted model says when it is given no script: honest about itself, and useful. `self` calls our program. */
export const demoScript = (self: string): Script => ({
  word_ms: 18,
  rules: [
    ...tourRules(self),
    {
      do: [
        { think: "No model provider is set up, so I answer from a script and point at what can be seen." },
        {
          say: [
            "You asked: “{{prompt}}”",
            "",
            "I am Fairlead's scripted model: no provider is set up yet, so this answer is written beforehand. The way it reached you is real, though. Your request was recorded before anything ran, and each piece of this text was in the log before you saw it.",
            "",
            "Three things to try now:",
            "",
            `1. Follow this session from a second terminal with \`${self} tail SESSION\`, break the connection, and follow it again: nothing is missing and nothing comes twice.`,
            "2. Stop the server in the middle of an answer and start it again. The turn does not hang: the log says that it was interrupted.",
            `3. Run \`${self} verify\`. It checks the hash chain over every event, this one included.`,
            "",
            "To give me other lines, point `FAIRLEAD_SCRIPT` at a JSON file.",
          ].join("\n"),
        },
      ],
    },
  ],
});
