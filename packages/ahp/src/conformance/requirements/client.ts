import { AHP_EVENTS, EVENT_TYPES } from "../../protocol/events.ts";
import { family } from "../requirement.ts";
import { SOCKETS, STREAMS, TRANSPORTS } from "../transports.ts";

const blocking = EVENT_TYPES.filter((type) => AHP_EVENTS[type].blocking);
const notices = EVENT_TYPES.filter((type) => !AHP_EVENTS[type].blocking);

const lifecycle = family({ side: "client", spec: "seed: Client Lifecycle", transports: TRANSPORTS }, [
  { id: "client:handshake-first", behaviour: "sends nothing before its handshake; calls are refused" },
  { id: "client:handshake-params", behaviour: "greets with version, agent info, session and agent" },
  { id: "client:minor", behaviour: "accepts a harness of another minor version" },
  { id: "client:major", behaviour: "refuses a harness of another major version" },
  { id: "client:bad-welcome", behaviour: "refuses a handshake answer of the wrong shape" },
  { id: "client:close", behaviour: "after close, calls are refused and nothing is sent" },
]);

const answers = family({ side: "client", spec: "seed: The Rust client validates", transports: TRANSPORTS }, [
  { id: "client:version", behaviour: 'refuses an answer whose jsonrpc is not "2.0"' },
  { id: "client:id", behaviour: "refuses an answer with another id" },
  { id: "client:error", behaviour: "turns an error answer into an error with its code" },
  { id: "client:no-result", behaviour: "refuses an answer without result" },
  { id: "client:null-result", behaviour: "refuses a null result" },
  { id: "client:batch-count", behaviour: "refuses a batch answer with another number of decisions" },
  { id: "client:not-json", behaviour: "never takes garbage for an answer", spec: "issue: garbage" },
  {
    id: "client:extra-fields",
    behaviour: "tolerates fields it does not know in an answer",
    spec: "wire: a peer of another minor version",
  },
  {
    id: "client:null-is-unset",
    behaviour: "takes null in an optional field as unset",
    spec: "wire: Decisions, last paragraph",
  },
  {
    id: "client:null-modify",
    behaviour: "refuses modify with a null payload, alone and in a batch: null is unset",
    spec: "wire: Decisions",
  },
  {
    id: "client:timeout",
    behaviour: "gives up after its timeout; a late answer changes nothing",
    spec: "wire: Framing, client defaults",
  },
  { id: "client:abort", behaviour: "gives up when its caller aborts", spec: "issue: cancellation" },
  {
    id: "client:out-of-order",
    behaviour: "matches answers to requests by id, in whatever order they come",
    spec: "wire: Framing",
    transports: STREAMS,
  },
  {
    id: "client:lost",
    behaviour: "a request whose connection breaks is not taken as allowed",
    spec: "issue: fail closed",
  },
  {
    id: "client:reconnect",
    behaviour: "opens a lost connection again, greets, and asks again",
    spec: "issue: reconnect with back-off",
    transports: SOCKETS,
  },
  {
    id: "client:bounded",
    behaviour: "never has more requests in flight than its limit",
    spec: "issue: bounded in-flight",
  },
  {
    id: "client:fail-closed",
    behaviour: "decideOrBlock refuses when there is no valid answer",
    spec: "seed: Design Principles, fail closed",
  },
]);

const writing = family({ side: "client", spec: "wire: JSON-RPC", transports: TRANSPORTS }, [
  { id: "client:string-ids", behaviour: "sends string ids, each once" },
  { id: "client:envelope", behaviour: 'sends jsonrpc "2.0", the method and the params' },
  { id: "client:no-null", behaviour: "leaves unset fields out, never null" },
  { id: "client:batch", behaviour: "sends a batch as ahp/batch, in order" },
  { id: "client:batch-generic", behaviour: "does not send a specialised event in a batch" },
  { id: "client:query", behaviour: "sends ahp/query with session, agent, type and payload" },
  {
    id: "client:full-event",
    behaviour: "full-event calls keep session, agent, depth, context and metadata",
    spec: "seed: Client Lifecycle",
  },
  {
    id: "client:limits",
    behaviour: "keeps to the depth and batch limits of the handshake",
    spec: "seed: Depth And Recursion",
  },
  {
    id: "client:bad-payload",
    behaviour: "does not send a payload that breaks its type",
    spec: "wire: Payloads of typed events",
  },
  ...blocking.map((type) => ({
    id: `client:ask:${type}`,
    behaviour: `sends ${type} as a request and takes every variant of its decision`,
  })),
  ...blocking.map((type) => ({
    id: `client:refuse:${type}`,
    behaviour: `refuses an answer to ${type} that is no decision of its shape`,
  })),
  ...notices.map((type) => ({
    id: `client:tell:${type}`,
    behaviour: `sends ${type} as a notification, without id`,
  })),
]);

const transport = [
  ...family({ side: "client", spec: "wire: Framing, auth", transports: ["http"] }, [
    { id: "client:http-key", behaviour: "shows an API key as X-API-Key" },
    { id: "client:http-token", behaviour: "shows a token as Authorization: Bearer" },
    { id: "client:http-post", behaviour: "sends each message as a POST of application/json" },
    { id: "client:http-failed-notice", behaviour: "tells its caller that a notification was not taken" },
    { id: "client:http-status", behaviour: "takes no other status for an answer" },
  ]),
  ...family({ side: "client", spec: "wire: Framing, auth", transports: ["websocket"] }, [
    { id: "client:websocket-key", behaviour: "appends api_key, form-encoded, to the query it has" },
    { id: "client:websocket-token", behaviour: "appends token, form-encoded, to the query it has" },
    { id: "client:websocket-text", behaviour: "sends each message as one text frame" },
    { id: "client:websocket-pong", behaviour: "answers a ping by a pong" },
  ]),
  ...family({ side: "client", spec: "wire: Framing", transports: ["stdio", "unix"] }, [
    { id: "client:line", behaviour: "sends each message as one line of UTF-8" },
    { id: "client:line-split", behaviour: "reads answers that come in pieces or many at once" },
    { id: "client:line-noise", behaviour: "is not disturbed by lines that are no answers" },
  ]),
];

export const client = [...lifecycle, ...answers, ...writing, ...transport];
