import type { Connection } from "../transport/transport.ts";
import type { Deadline } from "./deadline.ts";

/** One request on one connection. */
export function askOnce(
  connection: Connection,
  id: string,
  text: string,
  deadline: Deadline,
): Promise<unknown> {
  return deadline.race((resolve, reject) => {
    const forget = connection.ask(id, text, (answer) => {
      if (answer.ok) resolve(answer.result);
      else reject(answer.error);
    });
    return (error) => forget(error.code === "timeout");
  });
}

/** One notification on one connection. */
export function tellOnce(connection: Connection, text: string, deadline: Deadline): Promise<void> {
  return deadline.race((resolve, reject) => {
    connection.tell(text).then(resolve, reject);
  });
}
