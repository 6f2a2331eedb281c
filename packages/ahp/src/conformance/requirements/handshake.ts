import { family } from "../requirement.ts";
import { TRANSPORTS } from "../transports.ts";

export const handshake = family(
  { side: "server", spec: "wire: Methods, ahp/handshake", transports: TRANSPORTS },
  [
    { id: "handshake:answer", behaviour: "is answered with version, harness info and limits" },
    { id: "handshake:minor", behaviour: "welcomes another minor version" },
    { id: "handshake:major", behaviour: "refuses another major version with -32000" },
    { id: "handshake:params", behaviour: "answers params that do not parse with -32602" },
    {
      id: "handshake:first",
      behaviour: "refuses events, queries and batches before it",
      spec: "seed: Design Principles, capability negotiation first",
      level: "ours",
    },
    {
      id: "handshake:again",
      behaviour: "may be repeated on the same connection",
      level: "ours",
    },
    {
      id: "handshake:capabilities",
      behaviour: "lists what the handlers can do",
      spec: "issue: capability list derived from the handlers",
      needs: "generic",
      level: "ours",
    },
  ],
);
