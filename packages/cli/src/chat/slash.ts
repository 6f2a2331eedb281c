import { APPROVAL_MODES, PERMISSION_MODES, THINK_LEVELS } from "@fairlead/contract";

export interface SlashCommand {
  readonly name: string;
  readonly takes: string;
  readonly about: string;
  readonly values?: readonly string[];
}

export const SLASH_COMMANDS = [
  { name: "help", takes: "", about: "commands and keys" },
  { name: "model", takes: "[NAME]", about: "take another model" },
  { name: "mode", takes: "[MODE]", about: "what it may do by itself", values: PERMISSION_MODES },
  { name: "approval", takes: "[MODE]", about: "what you are asked", values: APPROVAL_MODES },
  { name: "think", takes: "[LEVEL]", about: "how much the model thinks", values: THINK_LEVELS },
  { name: "queue", takes: "TEXT", about: "say it after the open turn" },
  { name: "tasks", takes: "", about: "the whole task list" },
  { name: "sessions", takes: "", about: "go on in another session" },
  { name: "branch", takes: "", about: "go on from an earlier place, in a session of its own" },
  { name: "new", takes: "[TITLE]", about: "begin a new session" },
  { name: "cost", takes: "", about: "tokens and money" },
  { name: "verify", takes: "", about: "check the hash chain of this session" },
  { name: "quit", takes: "", about: "leave; a server's turn goes on" },
] as const satisfies readonly SlashCommand[] as readonly SlashCommand[];

export interface Slash {
  readonly name: string;
  readonly rest: string;
}

/** A command, or null for what is to be said. A path is no command: `/etc/hosts` is said as it is. */
export function slashOf(text: string): Slash | null {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match === null ? null : { name: match[1] ?? "", rest: (match[2] ?? "").trim() };
}
