import { family } from "../requirement.ts";
import { LINES } from "../transports.ts";

const lines = family({ side: "server", spec: "wire: Framing, stdio and Unix socket", transports: LINES }, [
  { id: "line:one", behaviour: "one answer, one line, even when a text in it has line breaks" },
  { id: "line:split", behaviour: "a message may come in pieces, a character too" },
  { id: "line:many", behaviour: "several messages may come at once" },
  { id: "line:crlf", behaviour: "a carriage return before the line feed is no harm", level: "ours" },
  { id: "line:blank", behaviour: "blank lines are skipped", level: "ours" },
  {
    id: "line:bad-utf8",
    behaviour: "bytes that are no UTF-8 get -32700; the next line is served",
    level: "ours",
  },
  {
    id: "line:too-large",
    behaviour: "a line over the limit gets an error and ends the connection",
    needs: "limit",
    level: "ours",
  },
  { id: "line:quiet", behaviour: "a bad or unknown notification gets no answer", needs: "script" },
]);

const http = family({ side: "server", spec: "wire: JSON-RPC, HTTP", transports: ["http"] }, [
  { id: "http:request", behaviour: "a request is answered 200 with JSON" },
  { id: "http:notification", behaviour: "a notification is answered 204 with no body" },
  { id: "http:neither", behaviour: 'a body that is neither: 200, id "", -32600' },
  { id: "http:failed-notification", behaviour: 'a notification that failed: 200, id "", -32603' },
  { id: "http:unknown-notification", behaviour: "an unknown notification is answered 204" },
  { id: "http:path", behaviour: "another path is 404", level: "ours" },
  { id: "http:method", behaviour: "another verb is 405", level: "ours" },
  { id: "http:content-type", behaviour: "another content type is 415", level: "ours" },
  { id: "http:origin", behaviour: "a web page of another origin is 403", level: "ours" },
  { id: "http:too-large", behaviour: "a body over the limit is 413", needs: "limit", level: "ours" },
  { id: "http:bad-utf8", behaviour: "a body that is no UTF-8 gets -32700", level: "ours" },
  { id: "http:no-token", behaviour: "events need no token after a handshake, in any session" },
]);

const websocket = family({ side: "server", spec: "wire: Framing, WebSocket", transports: ["websocket"] }, [
  { id: "websocket:text", behaviour: "an answer is one text frame" },
  { id: "websocket:ping", behaviour: "a ping is answered by a pong" },
  { id: "websocket:binary", behaviour: "a binary frame is no message: -32600", level: "ours" },
  { id: "websocket:quiet", behaviour: "a bad or unknown notification gets no answer", needs: "script" },
  { id: "websocket:bad-utf8", behaviour: "bytes that are no UTF-8 end the connection", level: "ours" },
  {
    id: "websocket:too-large",
    behaviour: "a frame over the limit ends the connection",
    needs: "limit",
    level: "ours",
  },
]);

const unix = family({ side: "server", spec: "wire: Framing, file permissions", transports: ["unix"] }, [
  { id: "unix:mode", behaviour: "the socket's mode is 0600", needs: "script" },
]);

export const framing = [...lines, ...http, ...websocket, ...unix];
