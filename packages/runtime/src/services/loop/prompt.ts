import type { Message } from "../../ports/model.ts";
import { windowOf } from "../../domain/loop/window.ts";
import type { Drive } from "./context.ts";

const ABOUT = [
  "You are an agent that works in the user's workspace through tools. Paths are relative to the workspace.",
  "Call several reads at once where they do not depend on each other. Say briefly what you do and why.",
  "A call may be denied, or wait for a person; go on with what you are told. Do not claim what you have not seen.",
].join("\n");

/** What the model is sent: who it is, then the conversation. */
export function messagesOf({ journal, limits }: Drive): readonly Message[] {
  const { settings, messages, turn } = journal.state;
  const own = settings?.instructions;
  const text = own === undefined || own === null || own === "" ? ABOUT : `${ABOUT}\n\n${own}`;
  return [{ role: "system", text }, ...windowOf(messages, limits.historyMessages, turn?.input)];
}
