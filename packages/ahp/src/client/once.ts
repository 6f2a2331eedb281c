import type { Answer } from "../rpc/answer.ts";
import type { Connection } from "../transport/transport.ts";
import type { Deadline } from "./deadline.ts";

/** One request on one connection. */
export function askOnce(
  connection: Connection,
  id: string,
  text: string,
  deadline: Deadline,
  repeatable: boolean,
): Promise<unknown> {
  return deadline.race((resolve, reject) => {
    const settle = (answer: Answer) => {
      if (answer.ok) resolve(answer.result);
      else reject(answer.error);
    };
    const forget = connection.ask(id, text, settle, repeatable);
    return (error) => forget(error.code === "timeout");
  });
}

/** One notification on one connection. */
export function tellOnce(connection: Connection, text: string, deadline: Deadline): Promise<void> {
  return deadline.race((resolve, reject) => {
    connection.tell(text).then(resolve, reject);
  });
}
