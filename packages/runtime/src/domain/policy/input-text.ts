import type { AhpEvent, SessionStats } from "@fairlead/ahp";
import { canonicalJson } from "../canonical.ts";
import type { Amounts, Budget, HistoryCounts, PolicyInput } from "./input.ts";

/**
 * The canonical JSON of an input. Made for every question, so where an input has just the fields that they all have, they
 * are written in their order, without looking for it. Anything else about it is left to `canonicalJson`.
 */
export function inputText(input: PolicyInput): string {
  const { budget, event, history, stats, workspace } = input;
  const isUsual =
    hasFields(input, 5) &&
    typeof workspace === "string" &&
    budget !== undefined &&
    event !== undefined &&
    history !== undefined &&
    stats !== undefined;
  if (!isUsual) return canonicalJson(input);
  return `{"budget":${budgetText(budget)},"event":${eventText(event)},"history":${historyText(history)},"stats":${statsText(stats)},"workspace":${canonicalJson(workspace)}}`;
}

/** With as many as are known to be there, there are no others. */
function hasFields(value: object | null | undefined, many: number): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === many;
}

function budgetText(budget: Budget): string {
  if (!hasFields(budget, 2)) return canonicalJson(budget);
  const { limits, used } = budget;
  if (limits === undefined || used === undefined) return canonicalJson(budget);
  return `{"limits":${canonicalJson(limits)},"used":${amountsText(used)}}`;
}

function amountsText(amounts: Amounts): string {
  if (!hasFields(amounts, 4)) return canonicalJson(amounts);
  const { actions, cost_usd, duration_ms, tokens } = amounts;
  if (!areNumbers(actions, cost_usd, duration_ms, tokens)) return canonicalJson(amounts);
  return `{"actions":${actions},"cost_usd":${cost_usd},"duration_ms":${duration_ms},"tokens":${tokens}}`;
}

function statsText(stats: SessionStats): string {
  if (!hasFields(stats, 4)) return canonicalJson(stats);
  const { duration_ms, error_count, total_actions, total_tokens } = stats;
  if (!areNumbers(duration_ms, error_count, total_actions, total_tokens)) return canonicalJson(stats);
  return `{"duration_ms":${duration_ms},"error_count":${error_count},"total_actions":${total_actions},"total_tokens":${total_tokens}}`;
}

function areNumbers(a: unknown, b: unknown, c: unknown, d: unknown): boolean {
  return Number.isFinite(a) && Number.isFinite(b) && Number.isFinite(c) && Number.isFinite(d);
}

function historyText(history: HistoryCounts): string {
  if (!hasFields(history, 3)) return canonicalJson(history);
  const { decisions, events, tools } = history;
  if (decisions === undefined || events === undefined || tools === undefined) return canonicalJson(history);
  return `{"decisions":${canonicalJson(decisions)},"events":${canonicalJson(events)},"tools":${canonicalJson(tools)}}`;
}

function eventText(event: AhpEvent): string {
  if (!hasFields(event, 7)) return canonicalJson(event);
  const { agent_id, context, depth, event_type, payload, session_id, timestamp } = event;
  const isUsual =
    typeof agent_id === "string" &&
    typeof context === "object" &&
    typeof depth === "number" &&
    typeof event_type === "string" &&
    payload !== undefined &&
    typeof session_id === "string" &&
    typeof timestamp === "string";
  if (!isUsual) return canonicalJson(event);
  return `{"agent_id":${canonicalJson(agent_id)},"context":${contextText(context)},"depth":${canonicalJson(depth)},"event_type":${canonicalJson(event_type)},"payload":${canonicalJson(payload)},"session_id":${canonicalJson(session_id)},"timestamp":${canonicalJson(timestamp)}}`;
}

function contextText(context: NonNullable<AhpEvent["context"]>): string {
  const stats = hasFields(context, 1) ? context.session_stats : undefined;
  if (stats === undefined) return canonicalJson(context);
  return `{"session_stats":${statsText(stats)}}`;
}
