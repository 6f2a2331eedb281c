import type { Handlers } from "./fold.ts";
import { OUTPUT } from "./handle-output.ts";
import { QUESTIONS } from "./handle-questions.ts";
import { SUBAGENTS } from "./handle-subagents.ts";
import { TOOLS } from "./handle-tools.ts";
import { TURNS } from "./handle-turns.ts";

/** What each frame does to the view. A name that is not here only moves the cursor. */
export const HANDLERS: Handlers = { ...TURNS, ...OUTPUT, ...TOOLS, ...SUBAGENTS, ...QUESTIONS };
