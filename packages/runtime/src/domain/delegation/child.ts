import type { Delegation, InputId, NewEvent, SessionId, SessionState } from "@fairlead/contract";
import type { Modes } from "../approval/types.ts";
import { given } from "../given.ts";
import { createSession } from "../session.ts";
import { OWN_AGENT } from "../turn-decide.ts";

export interface NewChild {
  readonly session_id: SessionId;
  readonly input_id: InputId;
  /** The state of who delegates. */
  readonly parent: SessionState;
  readonly delegation: Delegation;
  readonly depth: number;
  readonly modes: Modes;
  readonly provider: string;
  readonly model: string;
  readonly task: string;
  /** Null: the task names it. */
  readonly title: string | null;
  readonly instructions?: string;
  /** The event of the session above that says it was started. */
  readonly cause: string | null;
}

/** The first commit of a sub-agent's session: what it is, and its task, which waits there for whoever drives it. */
export function childEvents(child: NewChild): NewEvent[] {
  const { session_id, parent, delegation, depth, modes, cause } = child;
  const { parent_session_id, root_session_id } = delegation;
  const state = createSession({
    session_id,
    kind: "subagent",
    title: child.title,
    alias: null,
    provider: child.provider,
    model: child.model,
    settings: modes,
    sandbox: given({ sandbox_mode: parent.sandbox_mode, sandbox_isolation: parent.sandbox_isolation }),
    cause,
  });
  const instructions = [parent.instructions, child.instructions].filter(
    (text) => text != null && text !== "",
  );
  const own = {
    parent_session_id,
    root_session_id,
    depth,
    delegation,
    think_level: parent.think_level ?? null,
    ...given({
      workspace: parent.workspace,
      workspace_id: parent.workspace_id,
      created_with: parent.created_with,
      workspace_host: parent.workspace_host,
      workspace_source: parent.workspace_source,
      reflection: parent.reflection,
    }),
    ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n\n") }),
  };
  return [
    { ...state, data: { ...(state.data as SessionState), ...own } } as NewEvent,
    {
      type: "runtime.input.queued",
      cause,
      seal: true,
      data: { input_id: child.input_id, mode: "queue", input: child.task, actor: OWN_AGENT },
    },
  ];
}
