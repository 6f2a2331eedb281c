import type { Message } from "../../ports/model.ts";
import { digestedRequest, isRequest } from "./digest.ts";

/**
 * The request under way as the model was told it. Supervisors and people may have put another text in the place of what
 * came in: that must not come back when the conversation is folded.
 */
export function requestUnderWay(messages: readonly Message[], input: string): string | undefined {
  const digested = digestedRequest(messages[0]);
  if (digested === input || messages.some((message) => isRequest(message, input))) return input;
  // It was changed. Where the message itself is folded already nobody but the digest has it.
  const last = messages.findLast((message) => message.role === "user" && message.injected !== true);
  return last?.text ?? digested;
}
