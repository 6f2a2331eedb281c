export type { Call, CallArgs, CallInput, CallName, CallReply } from "./call.ts";
export type { Client, ClientOptions } from "./create-client.ts";
export { createClient } from "./create-client.ts";
export type { ClientError } from "./errors.ts";
export { ServerError, ServerUnreachable } from "./errors.ts";
export { isFinal } from "./stream/final.ts";
export type { Fetch } from "./http.ts";
export type { ConnectionState, EventStream, EventStreamOptions, StreamItem } from "./stream/event-stream.ts";
