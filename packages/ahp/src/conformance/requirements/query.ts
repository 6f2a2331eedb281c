import { family } from "../requirement.ts";
import { TRANSPORTS } from "../transports.ts";

export const query = family({ side: "server", spec: "wire: Methods, ahp/query", transports: TRANSPORTS }, [
  { id: "query:answer", behaviour: "is answered with an answer", needs: "script" },
  { id: "query:params", behaviour: "answers params that do not parse with -32602" },
  {
    id: "query:null-payload",
    needs: "script",
    behaviour: "takes null as payload, not a missing one",
    level: "ours",
  },
]);
