import type { QuestionRow } from "@fairlead/contract";
import type { Frame } from "../backend.ts";
import type { Handler } from "./fold.ts";
import { HANDLERS } from "./handlers.ts";
import type { View } from "./model.ts";

export const EMPTY_VIEW: View = {
  seq: 0,
  items: [],
  turn: null,
  tasks: [],
  waiting: [],
  pending: [],
  status: "idle",
  title: null,
  model: null,
  permissionMode: null,
  approvalMode: null,
  thinkLevel: null,
  workspace: null,
  usage: { input: 0, output: 0, cached: 0, calls: 0, cost: undefined, context: 0 },
  contextLimit: null,
  lastThinking: "",
  calls: {},
  asked: {},
  refused: [],
};

/** The view after one more frame. `now`: this machine's time, for what is under way. What comes twice changes nothing. */
export function evolve(view: View, frame: Frame, now: number): View {
  if (frame.seq <= view.seq || !("payload" in frame)) return view;
  const moved = { ...view, seq: frame.seq };
  if (!Object.hasOwn(HANDLERS, frame.type)) return moved;
  const handle = HANDLERS[frame.type as keyof typeof HANDLERS] as Handler;
  try {
    return handle(moved, frame.payload, { id: frame.id, at: frame.at, now });
  } catch {
    // A newer writer's payload may lack what we look for: the rest of the conversation is still worth showing.
    return moved;
  }
}

/** With all of what is shown of a question. */
export function withQuestion(view: View, row: QuestionRow): View {
  return {
    ...view,
    items: view.items.map((item) =>
      item.kind === "question" && item.requestId === row.request_id ? { ...item, row, final: true } : item,
    ),
  };
}

/** Without its first items: they are printed. */
export function forget(view: View, count: number): View {
  return count === 0 ? view : { ...view, items: view.items.slice(count) };
}
