import { agentStatus, ENDS, isSoFar, usedInWords } from "./agents.ts";
import { add, base, type Handlers, hush, loud, notice, quiet, raw, settle } from "./draft.ts";
import { crossingsOf, held, HEALTH_SUBJECT } from "./enforced.ts";
import { askedAgain, gaveUp } from "./failure.ts";
import { isQuiet, policyTitle } from "./policy.ts";
import { checkLine, checksInWords, openRisks } from "./words/checks.ts";
import { isCalm } from "./words/guardrails.ts";
import { worded } from "./words/json.ts";
import { TASK_TOOL, tasksFrom } from "./tasks.ts";
import { report } from "./tools.ts";

type Names =
  | "session"
  | "turn_start_tools"
  | "context_warning"
  | "context_compacted"
  | "usage"
  | "retrieval"
  | "antahkarana"
  | "policy_decision"
  | "hook_event"
  | "sandbox_notice"
  | "transport_diagnostic"
  | "subagent_event"
  | "health_snapshot"
  | "session_seen"
  | "task_list"
  | "verification";

type Json = Readonly<Record<string, unknown>>;

export const BESIDE: Pick<Handlers, Names> = {
  // Told to one reader and not stored: nothing of the timeline.
  session: () => {},
  turn_start_tools: raw,
  usage: raw,
  hook_event: raw,
  sandbox_notice: raw,
  transport_diagnostic(draft, { kind, reason: error, details = {} }, frame) {
    if (kind === "provider_retry") return askedAgain(draft, frame, { ...details, error });
    if (kind === "provider_fallback") gaveUp(draft);
    raw(draft, frame.payload, frame);
  },
  health_snapshot: raw,
  session_seen: raw,
  policy_decision(draft, payload, frame) {
    const { subject, outcome, reason, source, rule_id, details } = payload;
    if (subject === HEALTH_SUBJECT && outcome === "pause")
      return held(draft, frame, { action: "pause", reason, crossed: crossingsOf(details) });
    if (isQuiet(payload)) return raw(draft, payload, frame);
    const tone = outcome === "modify" ? "calm" : "warning";
    const text = `${reason} (${rule_id ?? source})`;
    const told = { ...frame, tier: "default" as const };
    notice(draft, told, { notice: "policy", tone, title: policyTitle(payload), text });
  },
  context_warning: (draft, { message }, frame) =>
    notice(draft, frame, {
      notice: "warning",
      tone: "warning",
      title: "The context is filling up",
      text: message,
    }),
  context_compacted: (draft, { original_count, compacted_count, tokens_saved, summary }, frame) =>
    notice(draft, frame, {
      notice: "compacted",
      title: `Context compacted: ${original_count} messages became ${compacted_count}, ${tokens_saved} tokens saved`,
      text: summary,
    }),
  retrieval(draft, { query, citations, context_pack }, frame) {
    settle(draft);
    const pack = (context_pack as Json | undefined) ?? null;
    add(draft, { ...base(frame), kind: "retrieval", query: query ?? null, citations, pack });
  },
  antahkarana(draft, { summary, guardrails = [], details = {} }, frame) {
    settle(draft);
    // The end of the turn says in a word that none did anything.
    draft.calm = isCalm(guardrails) && draft.turn !== null;
    add(draft, {
      ...base(draft.calm ? quiet(frame) : frame),
      kind: "cognition",
      summary,
      guardrails,
      details,
    });
  },
  task_list(draft, { tasks }, frame) {
    // Our own loop sets it by a call, which has a row.
    if (draft.entries.some((entry) => entry.kind === "tool" && entry.name === TASK_TOOL))
      return raw(draft, frame.payload, frame);
    const list = tasksFrom(tasks);
    const done = list.filter(({ status }) => status === "completed").length;
    const text = list.map(({ title, status }) => `${status.replaceAll("_", " ")}: ${title}`).join("\n");
    notice(draft, frame, { notice: "tasks", title: `Tasks: ${done} of ${list.length} done`, text });
  },
  verification(draft, { status, checks = [], residual_risks = [] }, frame) {
    const tone = status === "passed" ? "good" : status === "failed" ? "bad" : "warning";
    const checked = checksInWords(checks);
    const open = openRisks(residual_risks ?? [], checked).map((risk) => `Still open: ${risk}`);
    const text = [...checked.map(checkLine), ...open].join("\n");
    notice(draft, frame, { notice: "verification", tone, title: `Verification: ${worded(status)}`, text });
  },
  subagent_event(draft, said, frame) {
    const { agent_id, status, task, reason, until, tool_call_id } = said;
    if (tool_call_id !== undefined && ENDS.has(status)) report(draft, tool_call_id, status);
    const tone = status === "completed" ? "good" : status === "failed" ? "bad" : "calm";
    const then = until === undefined ? undefined : `It goes on by itself at ${until}.`;
    const used = isSoFar(said) ? usedInWords(said) : undefined;
    const text = [task ?? reason, then, used].filter((part) => part !== undefined).join(" ");
    const title = `Sub-agent ${agent_id} ${isSoFar(said) ? "works on" : agentStatus(status)}`;
    hush(draft, draft.waitingBelow.get(agent_id) ?? null);
    draft.waitingBelow.delete(agent_id);
    if (then !== undefined) draft.waitingBelow.set(agent_id, frame.id);
    // Nothing else says that the session waits so long.
    const told = then === undefined ? frame : loud(frame);
    notice(draft, told, { notice: "subagent", tone, title, text });
  },
};
