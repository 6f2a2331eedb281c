import { type NewEvent, printResumeCursor } from "@fairlead/contract";
import { type Compaction, compact } from "../../domain/context/compact.ts";
import { contextTokens } from "../../domain/context/estimate.ts";
import { DEFAULT_CONTEXT_TOKENS, percentOf } from "../../domain/context/room.ts";
import { requestUnderWay } from "../../domain/context/request.ts";
import { limitOf } from "../../domain/health/budgets.ts";
import { reached } from "../../domain/context/thresholds.ts";
import type { Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import type { TokenCounter } from "../../ports/tokens.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { seqOfMessage } from "./message-seq.ts";
import { messagesOf } from "./prompt.ts";

/** From this share of the model's context on, older messages are folded; then these are left for recent work and digest. */
const COMPACT_AT = 0.85;
const KEEP = 0.35;
const DIGEST = 0.25;

/** Warns when the context fills up, and folds the older part of the conversation before it is full or has too many messages. */
export async function fitContext(drive: Drive, model: Model, tools: readonly Tool[]): Promise<void> {
  const { journal, limits } = drive;
  const limit = model.contextTokens ?? DEFAULT_CONTEXT_TOKENS;
  const counter = drive.tokens(model.provider);
  const specs = tools.map(({ spec }) => spec);
  const used = contextTokens(messagesOf(drive), specs, counter);
  const { state } = journal.health;
  // What the policy allows, or people did since, is warned of too, or nobody would know that it was passed.
  const most = limitOf(state, state.policy, "max_context_percent") ?? Infinity;
  const share = Math.max(reached(used, limit) ?? 0, (used / limit) * 100 > most ? most / 100 : 0);
  if (share > (journal.state.warned ?? 0)) journal.emit([warning(drive, used, limit, counter.method)]);
  const full = used >= limit * COMPACT_AT;
  if (full || journal.state.messages.length > limits.historyMessages) await fold(drive, limit, counter);
}

/**
 * Folds more than the model's own number asks for, because the model found the conversation too long all the same.
 * False where nothing is left to fold; each time it is true there is less, so nobody tries for ever.
 */
export async function shrinkContext(drive: Drive, model: Model): Promise<boolean> {
  const counter = drive.tokens(model.provider);
  return fold(drive, contextTokens(drive.journal.state.messages, [], counter), counter);
}

/** Whether something was folded. */
async function fold(drive: Drive, limit: number, counter: TokenCounter): Promise<boolean> {
  const { journal, log, session } = drive;
  if (planned(drive, limit, counter) === undefined) return false;
  // The cursor names a place in the log: all that the conversation is made of must be there first.
  await journal.flush();
  // Others may have been heard meanwhile.
  const made = planned(drive, limit, counter);
  if (made === undefined) return false;
  const { messages, seq } = journal.state;
  const dropped = messages.length - made.preserved;
  const upto_seq = await seqOfMessage(log, session, journal.state, dropped - 1);
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
        resume_cursor: printResumeCursor({ kind: "compact", session, seq }),
        dropped: { messages: dropped, ...(upto_seq === undefined ? {} : { upto_seq }) },
      },
    },
  ]);
  return true;
}

function planned(drive: Drive, limit: number, counter: TokenCounter): Compaction | undefined {
  const { messages, tasks, decisions } = drive.journal.state;
  const room = { tokens: limit * KEEP, messages: drive.limits.historyMessages, digest: limit * DIGEST };
  const request = requestUnderWay(messages, turnOf(drive).input);
  return compact(messages, room, { request, tasks, decisions }, counter);
}

function warning(drive: Drive, used: number, limit: number, method: string): NewEvent {
  const percent = percentOf(used, limit);
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
