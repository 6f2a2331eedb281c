import type { AhpEvent, NoticeType, RunLifecyclePayload } from "@fairlead/ahp";
import type { EventData, NewEvent } from "@fairlead/contract";
import { STATUS_OF_RUN } from "../domain/supervision/supervised.ts";
import { ADAPTER, phaseOf } from "../domain/supervision/tally.ts";
import type { SessionStatus } from "@fairlead/contract";

type Entry = {
  readonly type:
    | "runtime.run.lifecycle"
    | "runtime.task.list"
    | "runtime.verification.reported"
    | "agent.heartbeat";
};

/** Where each notification goes; null: it has no entry of its own and is kept whole. */
const ENTRIES: Record<NoticeType, Entry["type"] | null> = {
  run_lifecycle: "runtime.run.lifecycle",
  task_list: "runtime.task.list",
  verification: "runtime.verification.reported",
  heartbeat: "agent.heartbeat",
  post_action: null,
  post_response: null,
  session_start: null,
  session_end: null,
  error: null,
  success: null,
};

/** A notification as the log keeps it. Its payload has been checked where its type has a form. */
export function noticeEvent(event: AhpEvent): NewEvent {
  const { event_type, agent_id, payload, session_id, timestamp, depth, context, metadata } = event;
  const type = ENTRIES[event_type as NoticeType];
  const rest = {
    ...(context === undefined ? {} : { context }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  if (type !== null) {
    // The cast restores what the table says: the entry's data is the payload of its type.
    const said = payload as EventData<Entry["type"]>;
    return {
      type,
      agent_id,
      data: { ...said, ahp_envelope: { session_id, timestamp, depth, ...rest } },
    } as NewEvent;
  }
  return {
    type: "runtime.adapter.event",
    agent_id,
    data: {
      event: {
        adapter: ADAPTER,
        phase: phaseOf(event_type),
        session_id,
        timestamp,
        depth,
        payload,
        ...rest,
      },
    },
  };
}

/** The status that a notification gives its session; undefined when it says nothing about that. */
export function statusAfter(event: AhpEvent): SessionStatus | undefined {
  switch (event.event_type) {
    case "session_start":
      return "running";
    case "session_end":
      return "completed";
    case "run_lifecycle":
      return STATUS_OF_RUN[(event.payload as RunLifecyclePayload).status];
    default:
      return undefined;
  }
}
