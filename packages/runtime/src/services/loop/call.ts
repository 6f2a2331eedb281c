import type { NewEvent } from "@fairlead/contract";
import { isPaused } from "../../domain/kernel/next.ts";
import type { Reserve } from "../../domain/budget/reserve.ts";
import { costOf } from "../../domain/loop/cost.ts";
import type { Step } from "../../domain/loop/next.ts";
import type { Message, Model, TokenUsage } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import { admit } from "../budget/admit.ts";
import { unlessCutOff } from "../budget/cut-off.ts";
import { settleDays } from "../budget/days.ts";
import { release, settleUnsaid } from "../budget/settle.ts";
import { withinAbove } from "../health/above.ts";
import { withinPolicy } from "../health/enforce.ts";
import { atTurnStart } from "../hooks/in-turn.ts";
import { redacted } from "../redaction.ts";
import { type CallFailure, type CallResult, callModel } from "../turn/call.ts";
import { createDeltas } from "../turn/deltas.ts";
import { type Drive, envelopeOf, thinkLevelOf, turnOf } from "./context.ts";
import { messagesOf } from "./prompt.ts";
import { retrieve } from "./retrieve.ts";
import { afterFailure } from "./retry.ts";
import { beforePrompt } from "./before-prompt.ts";
import { fitContext, shrinkContext } from "./fit.ts";
import { inform } from "./inform.ts";

type CallStep = Extract<Step, { kind: "call" }>;

/** Asks the model once for this step, with all tries and fallbacks that belong to it. */
export async function callStep(drive: Drive, { step, hear }: CallStep): Promise<void> {
  if (!(await atTurnStart(drive))) return;
  const { journal, tools, signal } = drive;
  const envelope = envelopeOf(drive);
  journal.emit(
    hear.map(({ input_id }) => ({
      ...envelope,
      type: "runtime.input.taken",
      data: { input_id, turn_id: envelope.turn_id, step },
    })),
  );
  const offer = tools.offer(turnOf(drive).input, journal.state.used);
  if (offer.method !== "all") journal.emit([selectedEvent(envelope, offer, step)]);
  const models = candidates(drive);
  if (!(await inform(drive))) return;
  await retrieve(drive);
  await fitContext(drive, models[0] as Model, offer.tools);
  if (!withinPolicy(drive, models[0] as Model, offer.tools) || !(await withinAbove(drive))) return;
  const asked = await beforePrompt(drive, messagesOf(drive), models[0] as Model, offer.tools);
  if (asked === undefined) return;
  let failures = 0;
  for (const [place, model] of models.entries()) {
    for (let tries = 1; !signal.aborted; tries++) {
      const admitted = await admit(drive, model, asked, offer.tools);
      if (admitted === undefined) return;
      const recorded = journal.flush();
      // What is put aside is on record before anything is spent.
      if (admitted.reserve !== undefined || !mayOverlap(drive)) {
        await recorded;
        // Said while the tools ran: it is heard now, and those who judge prompts see it. Or it should wait.
        const spoken = tries === 1 && place === 0 && journal.state.held.some(({ mode }) => mode === "steer");
        if (spoken || isPaused(journal.state)) return release(drive);
      }
      const result = await callOnce(drive, model, asked, offer.tools, step, recorded, {
        ...AN_ANSWER,
        ...admitted,
      });
      if (result.kind !== "failure") return;
      // What is left is next to nothing: who admits the next call says what is done about it.
      if (result.code === "budget" && tries < MOST_CUTS) continue;
      // The same step is made again, judged again, with less to tell.
      if (result.fault === "too_long" && (await shrinkContext(drive, model))) return;
      failures += 1;
      const plan = await afterFailure(drive, { model, next: models[place + 1], tries, result, failures });
      if (plan === "ended") return;
      if (plan === "next") break;
    }
    if (signal.aborted) return;
  }
}

/** A call that is cut off uses nearly all that is left, so that the next one is hardly ever made. */
const MOST_CUTS = 3;

/**
 * Whether the model may be asked while what led to it is still being written (decision 16): nobody outside was asked,
 * no other process writes here, and nobody has spoken meanwhile.
 */
function mayOverlap({ log, supervision, spoken }: Drive): boolean {
  return !log.shared && !supervision.takesNotices && !spoken();
}

/** The session's model, then those that stand in for it. */
export function candidates({ journal, models }: Drive): readonly Model[] {
  const named = journal.state.settings?.model ?? undefined;
  const main = (named === undefined ? undefined : models.find(named)) ?? models.main;
  return [main, ...models.fallbacks.filter((model) => model !== main)];
}

/** How an answer is written down. */
export interface Recording {
  readonly type: "agent.output.completed" | "agent.reflection";
  /** Whether its text is shown as it comes. */
  readonly shown: boolean;
  /** What was put aside for it, where something limits the session. */
  readonly reserve?: Reserve | undefined;
  /** Said of it beside what the model said. */
  readonly data?: Readonly<Record<string, unknown>>;
}

const AN_ANSWER: Recording = { type: "agent.output.completed", shown: true };

export async function callOnce(
  drive: Drive,
  model: Model,
  messages: readonly Message[],
  tools: readonly Tool[],
  step: number,
  recorded: Promise<unknown>,
  recording = AN_ANSWER,
): Promise<CallResult> {
  const { journal, timers, limits, signal } = drive;
  const envelope = envelopeOf(drive);
  const attempt = turnOf(drive).tries + 1;
  let heard = false;
  // Not `AbortSignal.any`: what that keeps of both is only found by the collector.
  const stop = new AbortController();
  const follow = (): void => stop.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener("abort", follow);
  let fault: unknown;
  const fail = (error: unknown): void => {
    fault ??= error;
    stop.abort(error);
  };
  recorded.catch(fail);
  const deltas = createDeltas({
    timers,
    intervalMs: limits.deltaMs,
    envelope,
    call: { step, attempt },
    redact: (text) => redacted(drive.redactor, text),
    append: async (events) => {
      journal.emit(events);
      await journal.flush().catch(fail);
    },
  });
  const request = {
    messages,
    ...(tools.length === 0 ? {} : { tools: tools.map(({ spec }) => spec) }),
    ...thinkLevelOf(journal),
    ...(recording.reserve === undefined ? {} : { max_output_tokens: recording.reserve.max_output_tokens }),
  };
  const said = await callModel({
    model,
    request,
    taken: journal.state.ids,
    signal: stop.signal,
    timers,
    limits,
    heard: (kind, text) => {
      if (kind === "text" && !recording.shown) return;
      heard = true;
      deltas.add(kind, text);
    },
  });
  signal.removeEventListener("abort", follow);
  const result = unlessCutOff(said, recording.reserve);
  const rest = await deltas.close();
  // Nothing comes of an answer to what could not be written.
  await recorded;
  if (fault !== undefined) throw fault;
  journal.emit(rest);
  const usage = result.kind === "aborted" ? undefined : result.usage;
  if (usage !== undefined) settleDays(drive, turnOf(drive).reserved, amountsOf(usage, model));
  if (result.kind === "answer") journal.emit(answerEvents(envelope, model, result, step, attempt, recording));
  else if (heard) journal.emit([superseded(envelope, step, attempt, reasonOf(result))]);
  if (result.kind === "failure" && result.usage !== undefined)
    journal.emit([usageEvent(envelope, model, result.usage, step, attempt)]);
  // Nobody said what it used: a call that was refused costs nothing, any other all that was put aside.
  settleUnsaid(drive, result.kind !== "failure" || !result.refused);
  return result;
}

function amountsOf(usage: TokenUsage, { price }: Model) {
  const tokens = usage.input_tokens + usage.output_tokens;
  return { tokens, cost_usd: price === undefined ? 0 : costOf(usage, price) };
}

type Envelope = ReturnType<typeof envelopeOf>;

function answerEvents(
  envelope: Envelope,
  model: Model,
  { output, calls, usage, reason, provider_data }: Extract<CallResult, { kind: "answer" }>,
  step: number,
  attempt: number,
  { type, data }: Recording,
): NewEvent[] {
  const { provider, id } = model;
  const events: NewEvent[] = [
    {
      ...envelope,
      type,
      seal: true,
      data: {
        text: output,
        ...data,
        step,
        attempt,
        ...(calls.length === 0 ? {} : { tool_calls: [...calls] }),
        ...(reason === "stop" || reason === "tool_calls" ? {} : { finish_reason: reason }),
        provider,
        model: id,
        ...(provider_data === undefined ? {} : { provider_data }),
      },
    },
  ];
  if (usage !== undefined) events.push(usageEvent(envelope, model, usage, step, attempt));
  return events;
}

function usageEvent(
  envelope: Envelope,
  model: Model,
  usage: TokenUsage,
  step: number,
  attempt: number,
): NewEvent {
  const { provider, id } = model;
  const cost_usd = model.price === undefined ? undefined : costOf(usage, model.price);
  return {
    ...envelope,
    type: "agent.usage",
    data: {
      ...usage,
      total_tokens: usage.input_tokens + usage.output_tokens,
      ...(cost_usd === undefined ? {} : { cost_usd }),
      ...(model.contextTokens === undefined ? {} : { context_tokens: model.contextTokens }),
      provider,
      model: id,
      step,
      attempt,
    },
  };
}

function reasonOf(result: CallFailure | { readonly kind: "aborted" }): string {
  return result.kind === "aborted" ? "The call was stopped." : result.error;
}

export function superseded(envelope: Envelope, step: number, attempt: number, reason: string): NewEvent {
  return { ...envelope, type: "agent.output.superseded", data: { step, attempt, reason } };
}

function selectedEvent(
  envelope: Envelope,
  { tools, method, scores }: ReturnType<Drive["tools"]["offer"]>,
  step: number,
): NewEvent {
  return {
    ...envelope,
    type: "agent.tool.selected",
    data: { tools: tools.map(({ spec }) => spec.name), method, scores, step },
  };
}
