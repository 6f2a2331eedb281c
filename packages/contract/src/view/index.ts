// Folds that user interfaces share: the same frames give the same rows. No I/O, runs in a browser.
export type {
  CognitionEntry,
  EndEntry,
  EnforcedEntry,
  Entry,
  EntryKind,
  NoticeEntry,
  NoticeKind,
  QuestionEntry,
  RawEntry,
  RetrievalEntry,
  SaidEntry,
  TextEntry,
  ThinkingEntry,
  ToolEntry,
  ToolState,
} from "./entries.ts";
export type { Timeline } from "./timeline.ts";
export { createTimeline, TIMELINE, timelineOf } from "./timeline.ts";
export type { Agent, AgentQuestion, AgentTree } from "./agents.ts";
export { agentTree } from "./agents.ts";
export type { Crossing } from "./enforced.ts";
export { crossingsOf, HEALTH_ORIGIN, HEALTH_SUBJECT, wishedBy } from "./enforced.ts";
export type { FileChange, FileChanges } from "./files.ts";
export { withKnown } from "./known.ts";
export { isQuiet, policyTitle } from "./policy.ts";
export type { Summary, Usage } from "./summary.ts";
export { EMPTY_SUMMARY, evolveSummary, SUMMARY_EVENTS, SUMMARY_MOST } from "./summary.ts";
export { PATTERN_DAYS } from "../pattern-days.ts";
export { shownStatus } from "../shown-status.ts";
export { subjectOf } from "../subject.ts";
export type { Task } from "./tasks.ts";
export type { AuditLine } from "./words/audit.ts";
export { auditInWords } from "./words/audit.ts";
export { checksInWords, openRisks } from "./words/checks.ts";
export { enforcementInWords } from "./words/enforcement.ts";
export { cognitionInWords, guardrailLine, guardrailsInWords } from "./words/guardrails.ts";
export { owedInWords } from "./words/owed.ts";
export { worded } from "./words/json.ts";
export { citationsInWords, packInWords } from "./words/pack.ts";
export type { Waiting } from "./waiting.ts";
export { waitingOf, waitsFor } from "./waiting.ts";
export { verdictInWords } from "./words/verdict.ts";
