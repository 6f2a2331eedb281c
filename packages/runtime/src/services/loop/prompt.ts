import type { Message } from "../../ports/model.ts";
import { windowOf } from "../../domain/loop/window.ts";
import type { LoopState } from "../../domain/loop/state.ts";
import type { Drive } from "./context.ts";

const ABOUT = [
  "You are an agent that works in the user's workspace through tools. Paths are relative to the workspace.",
  "Call several reads at once where they do not depend on each other. Say briefly what you do and why.",
  "A call may be denied, or wait for a person; go on with what you are told. Do not claim what you have not seen.",
].join("\n");

const PLAIN: Message = { role: "system", text: ABOUT };

interface Told {
  readonly own: string;
  readonly message: Message;
}

/** By session. The same message as long as it says the same: what is known of a message is known by which one it is. */
const told = new WeakMap<LoopState, Told>();

/** What the model is sent: who it is, then the conversation. */
export function messagesOf({ journal, limits }: Drive): readonly Message[] {
  const { messages, turn } = journal.state;
  return [systemOf(journal.state), ...windowOf(messages, limits.historyMessages, turn?.input)];
}

function systemOf(state: LoopState): Message {
  const own = state.settings?.instructions;
  if (own === undefined || own === null || own === "") return PLAIN;
  const known = told.get(state);
  if (known?.own === own) return known.message;
  const message: Message = { role: "system", text: `${ABOUT}\n\n${own}` };
  told.set(state, { own, message });
  return message;
}
