import type { FrontendName, FrontendPayload, TurnStatus } from "@fairlead/contract";
import type { Frame } from "./backend.ts";
import type { Output } from "./output.ts";
import { subagentLine } from "./subagent-line.ts";
import { printable } from "./text.ts";

interface Result {
  /** Null: the end was not seen. */
  readonly status: TurnStatus | null;
  readonly failure: { readonly code: string; readonly error: string } | null;
  readonly tokens: { readonly input: number; readonly output: number };
}

export interface Answer {
  /** Shows what of a frame belongs on the terminal. */
  show(frame: Frame): Promise<void>;
  /** Takes note of what the end is told by. True when the turn is over, and how is known. */
  note(frame: Frame): boolean;
  /** Ends the last line. */
  finish(): Promise<void>;
  result(): Result;
}

function payloadOf<N extends FrontendName>(frame: Frame, name: N): FrontendPayload<N> | undefined {
  return frame.type === name ? (frame["payload"] as FrontendPayload<N>) : undefined;
}

const MOST_ARGUMENTS = 100;

/** Enough to know the call by. */
function argumentsOf({ _tool_call_id: _, ...args }: Readonly<Record<string, unknown>>): string {
  const values = Object.values(args).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  const text = values.join(" ").replaceAll(/\s+/g, " ");
  return text.length > MOST_ARGUMENTS ? `${text.slice(0, MOST_ARGUMENTS - 1)}…` : text;
}

function said(error: string | undefined): string {
  return error === undefined ? "" : `: ${error.split("\n", 1)[0]}`;
}

/** For time or for sub-agents alone: it goes on by itself, and nobody has anything to decide. */
function goesOnByItself({ status, waits = [] }: FrontendPayload<"turn_end">): boolean {
  return status === "parked" && waits.length > 0 && waits.every(({ kind }) => kind !== "question");
}

/** A turn as a person at a terminal sees it: the text on standard output, all else beside it. */
export function createAnswer(out: Output, turnId: string): Answer {
  let midLine = false;
  let thinking = false;
  let streamed = false;
  let status: TurnStatus | null = null;
  let told = false;
  let failure: Result["failure"] = null;
  const tokens = { input: 0, output: 0 };

  async function say(text: string): Promise<void> {
    if (text === "") return;
    await out.text(text);
    midLine = !text.endsWith("\n");
  }

  async function endThought(): Promise<void> {
    thinking = false;
    await say(midLine ? "\n\n" : "\n");
  }

  async function aside(text: string): Promise<void> {
    if (midLine) await say("\n");
    out.note(text);
  }

  return {
    async show(frame) {
      const token = payloadOf(frame, "token");
      if (token !== undefined) {
        if (thinking) await endThought();
        streamed = true;
        await say(printable(token.text));
      }
      const response = payloadOf(frame, "response");
      if (response !== undefined) {
        if (thinking) await endThought();
        // A model that does not stream says it all at once.
        if (!streamed) await say(printable(response.text));
        if (midLine) await say("\n");
        streamed = false;
      }
      const call = payloadOf(frame, "tool_call");
      if (call !== undefined)
        await aside(out.dim(printable(`· ${call.name} ${argumentsOf(call.arguments)}`)));
      const outcome = payloadOf(frame, "tool_outcome");
      if (outcome !== undefined && outcome.status !== "ok")
        await aside(printable(`  ${outcome.tool_name}: ${outcome.status}${said(outcome.error)}`));
      if (frame.type === "output_superseded") await aside("(cut off; the answer is made again)");
      const question = payloadOf(frame, "approval_required");
      if (question !== undefined)
        await aside(
          printable(`waits for a decision: ${question.request_id} ${question.tool_name}: ${question.reason}`),
        );
      for (const wait of payloadOf(frame, "turn_end")?.waits ?? [])
        if (wait.kind === "timer")
          await aside(out.dim(printable(`· waits until ${wait.until}: ${wait.reason}`)));
      const delegated = payloadOf(frame, "subagent_event");
      if (delegated !== undefined) await aside(out.dim(printable(`· ${subagentLine(delegated)}`)));
      const thought = payloadOf(frame, "thinking");
      if (thought !== undefined && out.live) {
        if (!thinking) await say(`${midLine ? "\n" : ""}${out.dim("thinking: ")}`);
        thinking = true;
        await say(out.dim(printable(thought.text)));
      }
    },
    note(frame) {
      const usage = payloadOf(frame, "usage");
      tokens.input += usage?.input_tokens ?? 0;
      tokens.output += usage?.output_tokens ?? 0;
      const bad = payloadOf(frame, "error");
      const outcome = bad ?? payloadOf(frame, "completed");
      if (outcome?.turn_id === turnId) told = true;
      if (bad?.turn_id === turnId) failure = bad;
      const end = payloadOf(frame, "turn_end");
      if (end?.turn_id === turnId && !goesOnByItself(end)) status = end.status;
      // A sub-agent that asks has the turn wait for a person.
      if (payloadOf(frame, "subagent_event")?.status === "awaiting_approval") status = "parked";
      // End and outcome are two events of one commit, in either order; a parked turn has no outcome yet.
      return status === "parked" || (status !== null && told);
    },
    async finish() {
      if (midLine) await say("\n");
    },
    result: () => ({ status, failure, tokens }),
  };
}
