import { AhpError } from "../protocol/errors.ts";
import { QueryParams, QueryResult } from "../protocol/methods.ts";
import { checkAsSent } from "../protocol/as-sent.ts";
import { unsupported } from "./event.ts";
import { runHandler } from "./guard.ts";
import type { Call, Handlers } from "./handlers.ts";

export function askQuery<C>(
  params: unknown,
  handlers: Handlers<C>,
  call: Call<C>,
): QueryResult | AhpError | Promise<QueryResult | AhpError> {
  const query = checkAsSent(QueryParams, params, "invalid_params", "Invalid query");
  if (query instanceof AhpError) return query;
  const answer = handlers.query;
  if (answer === undefined) return unsupported("query");
  return runHandler(() => answer(query, call), QueryResult);
}
