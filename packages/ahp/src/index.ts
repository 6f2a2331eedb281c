export { EventContext, MemorySummary, SessionStats } from "./protocol/context.ts";
export type { AhpErrorCode, RpcErrorObject } from "./protocol/errors.ts";
export { AHP_ERRORS, AhpError, toRpcError } from "./protocol/errors.ts";
export type { EventOf } from "./protocol/event.ts";
export { AhpEvent } from "./protocol/event.ts";
export type {
  BatchableType,
  BlockingType,
  DecisionOf,
  EventType,
  GateType,
  NoticeType,
  PayloadInput,
  PayloadOf,
} from "./protocol/events.ts";
export { AHP_EVENTS, EVENT_TYPES, isBlocking, isEventType, METHOD_EVENTS } from "./protocol/events.ts";
export {
  ConfirmationDecision,
  ConfirmationPayload,
  ConfirmationType,
} from "./protocol/events/confirmation.ts";
export {
  ContextPerceptionDecision,
  ContextPerceptionPayload,
  InjectedContext,
  PerceptionDomain,
  PerceptionFreshness,
  PerceptionIntent,
  PerceptionModality,
  PerceptionUrgency,
} from "./protocol/events/context-perception.ts";
export { GenericDecision } from "./protocol/events/generic.ts";
export { HeartbeatPayload } from "./protocol/events/heartbeat.ts";
export { IdleDecision, IdlePayload } from "./protocol/events/idle.ts";
export {
  IntentDetectionDecision,
  IntentDetectionPayload,
  TargetHints,
} from "./protocol/events/intent-detection.ts";
export { MemoryRecallDecision, MemoryRecallPayload } from "./protocol/events/memory-recall.ts";
export { PerceptionTarget } from "./protocol/events/perception-target.ts";
export { PlanningDecision, PlanningPayload, PlanningStrategy } from "./protocol/events/planning.ts";
export { RateLimitDecision, RateLimitPayload, RateLimitType } from "./protocol/events/rate-limit.ts";
export { ReasoningDecision, ReasoningPayload, ReasoningType } from "./protocol/events/reasoning.ts";
export { RunLifecyclePayload, RunStatus } from "./protocol/events/run-lifecycle.ts";
export { SuccessPayload } from "./protocol/events/success.ts";
export { Task, TaskListPayload, TaskStatus } from "./protocol/events/task-list.ts";
export {
  VerificationCheck,
  VerificationPayload,
  VerificationStatus,
} from "./protocol/events/verification.ts";
export { Artifact, Evidence } from "./protocol/evidence.ts";
export { Fact } from "./protocol/fact.ts";
export { FAIL_CLOSED } from "./protocol/fail-closed.ts";
export { Metadata } from "./protocol/fields.ts";
export type { JsonSchema, ProtocolSchemas } from "./protocol/json-schema.ts";
export { jsonSchemas } from "./protocol/json-schema.ts";
export type { MethodName } from "./protocol/methods.ts";
export {
  AgentInfo,
  AHP_METHODS,
  BatchParams,
  BatchResult,
  HandshakeParams,
  HandshakeResult,
  HarnessConfig,
  HarnessInfo,
  QueryParams,
  QueryResult,
} from "./protocol/methods.ts";
export { RpcId, RpcNotification, RpcRequest, RpcResponse } from "./protocol/rpc.ts";
export { isCompatible, PROTOCOL_VERSION } from "./protocol/version.ts";
export type { AhpClient, BatchEntry } from "./client/client.ts";
export { connect, createClient } from "./client/create-client.ts";
export type { Ruling } from "./client/decide-or-block.ts";
export { decideOrBlock } from "./client/decide-or-block.ts";
export type { CallOptions, ClientOptions, EventOptions } from "./client/options.ts";
export type { EventInput } from "./client/outgoing.ts";
export type { Action } from "./protocol/action.ts";
export { actionOf } from "./protocol/action.ts";
export type { Answer } from "./rpc/answer.ts";
export type { Peer, Reply, ServerConnection } from "./server/connection.ts";
export type { Greeting } from "./server/door.ts";
export type { Call, Delivery, Handlers } from "./server/handlers.ts";
export type { Ignored, Limits, ServerOptions } from "./server/options.ts";
export type { AhpServer } from "./server/server.ts";
export { createServer } from "./server/server.ts";
export type { ServeLinkOptions } from "./server/serve-link.ts";
export { serveLink } from "./server/serve-link.ts";
export { inProcess, linkPair } from "./transport/in-process.ts";
export type { Link, LinkSink } from "./transport/link.ts";
export { multiplex } from "./transport/multiplex.ts";
export type { Connection, ConnectOptions, Transport } from "./transport/transport.ts";
export { grpc } from "./transport/grpc.ts";
