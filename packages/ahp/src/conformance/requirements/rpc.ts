import { family } from "../requirement.ts";
import { STREAMS, TRANSPORTS } from "../transports.ts";

export const rpc = family({ side: "server", spec: "wire: JSON-RPC", transports: TRANSPORTS }, [
  { id: "rpc:string-id", behaviour: "echoes a string id" },
  { id: "rpc:number-id", behaviour: "takes a number as id and echoes a number", level: "ours" },
  { id: "rpc:version", behaviour: 'answers with jsonrpc "2.0", results and errors alike' },
  { id: "rpc:not-json", behaviour: 'answers what is not JSON with -32700 and id ""', level: "ours" },
  { id: "rpc:not-a-message", behaviour: 'answers JSON that is no message with -32600 and id ""' },
  { id: "rpc:wrong-version", behaviour: "takes another jsonrpc version for no message" },
  { id: "rpc:null-id", behaviour: "takes a null id for no message", level: "ours" },
  { id: "rpc:array", behaviour: "takes a JSON-RPC batch array for no message", level: "ours" },
  { id: "rpc:unknown-method", behaviour: "answers an unknown method with -32601" },
  { id: "rpc:unknown-notification", behaviour: "ignores an unknown notification" },
  { id: "rpc:no-params", behaviour: "answers missing params with -32602", level: "ours" },
  { id: "rpc:extra-fields", behaviour: "tolerates fields it does not know" },
  { id: "rpc:null-is-unset", behaviour: "takes null in an optional field as unset" },
  { id: "rpc:no-null", behaviour: "leaves unset fields out, never null" },
  { id: "rpc:after-garbage", behaviour: "goes on serving after a bad message", level: "ours" },
  {
    id: "rpc:concurrent",
    behaviour: "answers others while one answer is held, matched by id",
    spec: "wire: Framing, a connection carries many requests",
    transports: STREAMS,
    needs: "script",
  },
  {
    id: "rpc:many",
    behaviour: "answers every one of many requests sent at once",
    spec: "wire: Framing, a connection carries many requests",
  },
]);
