export type { Category, EventDef, FaceNames, Owner, Tier } from "./define.ts";
export { CATEGORIES, OWNERS, TIERS } from "./define.ts";
export type { AnyEvent, BlobRef, NewEvent, RawEvent, StoredEvent } from "./envelope.ts";
export type { ErrorCode, ErrorDef } from "./errors.ts";
export { ERRORS, isErrorCode } from "./errors.ts";
export type { EventData, EventType } from "./events.ts";
export { EVENT_TYPES, EVENTS, isEventType, ownerOf, tierOf } from "./events.ts";
export type { ErrorBody, ErrorOptions } from "./fairlead-error.ts";
export { errorBody, FairleadError } from "./fairlead-error.ts";
export type { HookPoint, HookStatus } from "./events/hook.ts";
export { HOOK_POINTS } from "./events/hook.ts";
export type { JobState } from "./events/job.ts";
export { JOB_STATES } from "./events/job.ts";
export type { EngineName, HealthAction } from "./events/kernel.ts";
export { EVIDENCE_RULES, type EvidenceRule, Requirement, Requirements } from "./events/evidence.ts";
export { requirementInWords } from "./requirement-words.ts";
export { ENGINES, HEALTH_ACTIONS, HealthPolicy, isPausing, Pausing, SessionPolicy } from "./events/kernel.ts";
export { HealthSnapshot } from "./events/health.ts";
export type { Decision, QuestionKind, Risk } from "./events/question.ts";
export { ApprovalScope, DECISIONS, QUESTION_KINDS, RISKS, SCOPE_KINDS } from "./events/question.ts";
export type { ReflectionTrigger } from "./events/output.ts";
export { RequestedCall } from "./events/output.ts";
export type { TurnStatus } from "./events/request.ts";
export { shownStatus, type TurnEnd } from "./shown-status.ts";
export { TURN_STATUSES, Wait } from "./events/request.ts";
export type {
  ApprovalMode,
  Delegation,
  PermissionMode,
  SessionKind,
  SessionStatus,
  ThinkLevel,
} from "./events/session.ts";
export {
  APPROVAL_MODES,
  PERMISSION_MODES,
  Reflection,
  SESSION_KINDS,
  SESSION_STATUSES,
  SessionSettings,
  SessionState,
  THINK_LEVELS,
} from "./events/session.ts";
export type { AnswerSource } from "./events/supervision.ts";
export type { Role, TokenPurpose } from "./events/token.ts";
export { ROLES, TOKEN_PURPOSES } from "./events/token.ts";
export type { Effect, ToolOutcomeStatus } from "./events/tool.ts";
export { EFFECTS, TOOL_OUTCOME_STATUSES } from "./events/tool.ts";
export { TranscriptEntry } from "./events/transcript.ts";
export type {
  EventId,
  GrantId,
  Id,
  IdKind,
  IdSource,
  InputId,
  ProjectId,
  QuestionId,
  SessionId,
  StreamId,
  TokenId,
  TurnId,
} from "./ids.ts";
export { ID_PREFIXES, idMaker, idSchema, isId, isStreamId, SYSTEM_STREAM } from "./ids.ts";
export { ActorName, isActorName, isOwnName, isPlain, isReservedAlias } from "./names.ts";
export { Channel, Envelope, Participant, PARTICIPANT_KINDS } from "./channel/channel.ts";
export type { ChannelOf } from "./channel/fold.ts";
export { channelOf } from "./channel/fold.ts";
export type { ResumeCursor, ResumeKind } from "./resume-cursor.ts";
export { parseResumeCursor, printResumeCursor, RESUME_KINDS } from "./resume-cursor.ts";
export { RESUME_EVENTS, ResumePoint, resumePoints } from "./resume-points.ts";
export type { Told } from "./told.ts";
export { lineOf } from "./told.ts";
export { PATTERN_DAYS } from "./pattern-days.ts";
export { subjectOf } from "./subject.ts";
export {
  ARTIFACT_KINDS,
  type ArtifactKind,
  ChangeArtifact,
  ChangedFile,
  SnapshotArtifact,
  TaskGraphArtifact,
  WorkspaceArtifact,
} from "./artifacts.ts";
export { ComparedSide, SessionComparison } from "./comparison.ts";
export { type SessionTree, sessionTree } from "./session-tree.ts";
export { ArtifactRow, ChatSessionDetail, CheckpointRow, SessionDetail, SubagentRow } from "./details.ts";
export type { GrantState, QuestionState } from "./rows.ts";
export {
  GRANT_STATES,
  GrantRow,
  HealthyRow,
  QUESTION_STATES,
  QuestionRow,
  SessionRow,
  TokenRow,
} from "./rows.ts";
export type { Body, RawBody, RouteDef } from "./define-route.ts";
export { RAW_BODIES } from "./define-route.ts";
export type { EngineRow } from "./routes/engines.ts";
export type { ModelRow } from "./routes/models.ts";
export type { RouteBody, RouteName, RouteParams, RouteQuery, RouteReply, Routes } from "./routes.ts";
export { commonErrors, ROUTES } from "./routes.ts";
export type { HookRow } from "./routes/hooks.ts";
export { SESSION_SORTS, type SessionSort } from "./routes/sessions.ts";
export type { FaceName, FrameBlobs, FrontendFrame, FrontendPayload, RuntimeFrame } from "./frames.ts";
export { FACE_NAMES, NATIVE_AGENT } from "./frames.ts";
export type { TurnFailure } from "./turn-failures.ts";
export { TURN_FAILURES } from "./turn-failures.ts";
export type { FrontendName, StreamEvent } from "./stream-events.ts";
export { streamEvents } from "./stream-events.ts";
export type { JsonSchema, Named } from "./json-schema.ts";
export { eventSchema, jsonSchema } from "./json-schema.ts";
export type { OpenApi } from "./openapi.ts";
export { openApi, SESSION_COOKIE } from "./openapi.ts";
