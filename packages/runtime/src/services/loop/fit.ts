import { type NewEvent, printResumeCursor } from "@fairlead/contract";
import { compact } from "../../domain/context/compact.ts";
import { contextTokens } from "../../domain/context/estimate.ts";
import { reached } from "../../domain/context/thresholds.ts";
import type { Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { messagesOf } from "./prompt.ts";

/** From this share of the model's context on, older messages are folded; then this share is left for recent work. */
const COMPACT_AT = 0.85;
const KEEP = 0.35;

/** Warns when the context fills up, and folds the older part of the conversation before it is full. */
export function fitContext(drive: Drive, model: Model, tools: readonly Tool[]): void {
  const limit = model.contextTokens;
  if (limit === undefined) return;
  const { journal } = drive;
  const counter = drive.tokens(model.provider);
  const specs = tools.map(({ spec }) => spec);
  const used = contextTokens(messagesOf(drive), specs, counter);
  const { max_context_percent: most = Infinity } = journal.health.state.policy;
  // What the policy allows is warned of too, or nobody would know that it was passed.
  const passed = (used / limit) * 100 > most ? most / 100 : 0;
  const share = Math.max(reached(used, limit) ?? 0, passed);
  if (share > (journal.state.warned ?? 0)) journal.emit([warning(drive, used, limit, counter.method)]);
  if (used < limit * COMPACT_AT) return;
  const { messages, tasks, decisions } = journal.state;
  const made = compact(messages, limit * KEEP, { request: turnOf(drive).input, tasks, decisions }, counter);
  if (made === undefined) return;
  journal.emit([
    {
      ...envelopeOf(drive),
      type: "agent.context.compacted",
      seal: true,
      data: {
        original_count: messages.length,
        compacted_count: made.preserved + 1,
        tokens_saved: made.tokens_saved,
        summary: made.summary,
        preserved_messages: made.preserved,
        resume_cursor: printResumeCursor({ kind: "compact", session: drive.session, seq: journal.state.seq }),
        dropped: { messages: messages.length - made.preserved, upto_seq: journal.state.seq },
      },
    },
  ]);
}

function warning(drive: Drive, used: number, limit: number, method: string): NewEvent {
  const percent = Math.round((used / limit) * 1000) / 10;
  return {
    ...envelopeOf(drive),
    type: "agent.context.warning",
    data: {
      message: `The conversation fills ${percent} % of the model's context.`,
      used_tokens: used,
      limit_tokens: limit,
      usage_percent: percent,
      method,
    },
  };
}
