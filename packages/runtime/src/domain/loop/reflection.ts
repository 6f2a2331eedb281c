import { type EventData, Reflection, type ReflectionTrigger } from "@fairlead/contract";
import { withTaken } from "./call-ids.ts";
import type { CallState, LoopState, TurnOfLoop } from "./state.ts";

/**
 * When the model looks back, and what comes of it. Each row is met by `next` in this order:
 *
 * | the turn                                                    | asked             | then                               |
 * | ----------------------------------------------------------- | ----------------- | ---------------------------------- |
 * | was told to look back, and has not                          | the same again    |                                    |
 * | is answered and changed something since it last looked back | `before_finish`   | calls: go on; none: the answer stands |
 * | has so many failed calls in a row                           | `after_failures`  | calls: go on; none: the model is asked |
 * | any of these, and nobody can be asked or may be             | nothing           | as if it was never asked           |
 *
 * A person who has spoken goes before all but the first. It is a step like any other: the limit of steps holds.
 */
export interface Reflecting {
  /** Calls in a row that failed or did not fit, since the model last looked back at that. */
  failures: number;
  /** A call that writes, or that delegates, has succeeded since the model last looked back at that. */
  changed: boolean;
  /** How often it has looked back before the end. */
  looks: number;
  /** It was told to look back, and has not. */
  pending: ReflectionTrigger | null;
}

export const newReflecting = (): Reflecting => ({ failures: 0, changed: false, looks: 0, pending: null });

/** Before the end, in one turn: a model that always finds something more would never finish. */
const MOST_LOOKS = 3;

/** What the model is told. Part of the conversation, and so of the log. */
export const LOOK_BACK: Readonly<Record<ReflectionTrigger, string>> = {
  after_failures: [
    "Several tool calls in a row have failed. Before you go on, look back: what did you assume, what do the errors",
    "say about it, and what will you do differently? Answer in a few sentences, or call the tools you need now.",
  ].join("\n"),
  before_finish: [
    "You are about to finish, and you have changed something. Before that, look back: is everything that was asked",
    "for done, and did you see that it works? If something is missing or wrong, call the tools that put it right.",
    "If not, say in a sentence or two what you checked. The user has your answer already; do not repeat it.",
  ].join("\n"),
};

/** Said after it has looked back at failures: models want the last word to be somebody else's. */
export const GO_ON = "Go on with the request, with that in mind.";

export const SOURCE = "fairlead";
export const SKIPPED = "reflection_skipped";

export const subjectOf = (trigger: ReflectionTrigger): string => `reflection:${trigger}`;

const TRIGGERS = Object.keys(LOOK_BACK) as readonly ReflectionTrigger[];

/** Whether the model looks back now. `spoken`: a person has something to say first. */
export function reflectionDue(
  { settings }: LoopState,
  { reflecting: { failures, changed, looks, pending }, answered, step }: TurnOfLoop,
  { spoken, steps }: { readonly spoken: boolean; readonly steps: number },
): ReflectionTrigger | null {
  if (step >= steps) return null;
  if (pending !== null) return pending;
  const said = settings?.reflection ?? null;
  if (spoken || said === null) return null;
  const wanted = Reflection.safeParse(said);
  if (!wanted.success) return null;
  const { after_failures, before_finish = false } = wanted.data;
  if (answered) return before_finish && changed && looks < MOST_LOOKS ? "before_finish" : null;
  return after_failures !== undefined && failures >= after_failures ? "after_failures" : null;
}

/** A call is over: it ran, was denied, or did not fit its tool. */
export function foldOutcome({ reflecting }: TurnOfLoop, { started }: CallState, failed: boolean): void {
  reflecting.failures = failed ? reflecting.failures + 1 : 0;
  // What a sub-agent did is not known here, so it may have changed something.
  const changes = started?.access === "write" || started?.delegates === true;
  if (!failed && changes) reflecting.changed = true;
}

export function foldAsked({ reflecting }: TurnOfLoop, source: string, subject: string): void {
  const trigger = TRIGGERS.find((one) => subjectOf(one) === subject);
  if (source === SOURCE && trigger !== undefined) reflecting.pending = trigger;
}

/** What it said is part of the conversation; what it calls is judged as any other call. */
export function foldReflection(
  state: LoopState,
  turn: TurnOfLoop,
  data: EventData<"agent.reflection">,
): void {
  const { text, trigger, step, tool_calls = [], provider, model, provider_data } = data;
  // Somebody else's word about themselves.
  if (trigger === undefined || turn.reflecting.pending !== trigger) return;
  over(turn, trigger);
  turn.step = step ?? turn.step + 1;
  turn.tries = 0;
  turn.pauses = 0;
  turn.losses = 0;
  turn.calls = tool_calls.map((requested) => ({ requested, stage: { at: "requested" }, runs: 0 }));
  state.ids = tool_calls.reduce((ids, { tool_call_id }) => withTaken(ids, tool_call_id), state.ids);
  if (tool_calls.length > 0) turn.answered = false;
  state.messages.push({
    role: "assistant",
    text,
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
    ...(provider_data === undefined ? {} : { provider_data }),
    ...(provider === undefined || model === undefined ? {} : { by: `${provider}/${model}` }),
  });
}

/** It could not be asked, so it is not told that it was. */
export function foldSkipped(state: LoopState, turn: TurnOfLoop, kind: string): void {
  const { pending } = turn.reflecting;
  if (kind !== SKIPPED || pending === null) return;
  over(turn, pending);
  const told = state.messages.findLastIndex(
    (message) => message.role === "user" && message.injected === true && message.text === LOOK_BACK[pending],
  );
  if (told !== -1) state.messages.splice(told, 1);
}

function over({ reflecting }: TurnOfLoop, trigger: ReflectionTrigger): void {
  reflecting.pending = null;
  if (trigger === "after_failures") {
    reflecting.failures = 0;
    return;
  }
  reflecting.changed = false;
  reflecting.looks += 1;
}
