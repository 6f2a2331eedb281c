import type { AhpEvent, Call, Handlers, Ignored } from "@fairlead/ahp";
import { AhpError, isBlocking } from "@fairlead/ahp";
import { FairleadError, type NewEvent, type SessionStatus } from "@fairlead/contract";
import { isShallow } from "../domain/canonical.ts";
import type { Clock } from "../ports/clock.ts";
import type { AnyDecision } from "../ports/supervisor.ts";
import type { Supervision } from "../services/supervision/supervision.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { noticeEvent, statusAfter } from "./notices.ts";
import type { Peer } from "./peer.ts";
import type { createQueries } from "./queries.ts";
import type { AgentSessions, Supervised } from "./sessions.ts";

export interface HandlerDeps {
  readonly sessions: AgentSessions;
  readonly supervision: Supervision;
  readonly heartbeats: Heartbeats;
  readonly queries: ReturnType<typeof createQueries>;
  readonly clock: Clock;
  /** Tells the supervisors outside, without waiting. Must not throw. */
  readonly forward: (event: AhpEvent) => void;
  /** For what belongs to no session. Resolves when durable. */
  readonly tellSystem: (event: NewEvent) => Promise<void>;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Names of agents and sessions are written beside everything they do. */
const LONGEST_NAME = 1_000;
/** Between two records of what one session sent that could not be taken. */
const QUIET_MS = 1_000;
const ENDED: readonly SessionStatus[] = ["completed", "failed", "cancelled"];

/** What agents ask and tell, put into the log. Agents get no answer before it is there. */
export function createHandlers(deps: HandlerDeps) {
  const { sessions, supervision, heartbeats, queries, clock } = deps;

  /** Does the work in the event's session. One that was purged under our hands is begun anew. */
  async function within<T>(
    event: AhpEvent,
    call: Call<Peer>,
    work: (session: Supervised) => Promise<T>,
  ): Promise<T> {
    if (!isShallow(event.payload) || !isShallow(event.context) || !isShallow(event.metadata)) {
      throw new AhpError("invalid_payload", "The event nests too deep.");
    }
    if (event.agent_id.length > LONGEST_NAME || event.session_id.length > LONGEST_NAME) {
      throw new AhpError("invalid_params", `A name is longer than ${LONGEST_NAME} characters.`);
    }
    const actor = await call.context.actor();
    const open = () => sessions.open(actor, event.session_id, call.agent, event.agent_id);
    const session = await open();
    try {
      return await work(session);
    } catch (error) {
      if (!(error instanceof FairleadError) || error.code !== "session_purged") throw error;
      sessions.forget(session);
      return work(await open());
    }
  }

  async function ask(event: AhpEvent, call: Call<Peer>): Promise<AnyDecision> {
    const manner = {
      delivery: call.delivery === "batch" ? "batch" : "request",
      get signal() {
        return call.signal;
      },
    } as const;
    const decision = await within(event, call, async (session) => {
      await takeUp(session, event);
      return supervision.decide(session, event, manner);
    });
    if (decision !== undefined) return decision;
    throw new AhpError("capability_unsupported", `Capability not supported: ${event.event_type}`);
  }

  /** Who acts has not ended, whatever it said before. */
  async function takeUp(session: Supervised, { event_type }: AhpEvent): Promise<void> {
    if (event_type !== "pre_action" && event_type !== "pre_prompt") return;
    if (!ENDED.includes(session.state.status)) return;
    const state = sessions.turn(session, "running");
    if (state !== undefined) await sessions.write(session, [state]);
  }

  async function tell(event: AhpEvent, call: Call<Peer>): Promise<void> {
    await within(event, call, async (session) => {
      const events: NewEvent[] = [noticeEvent(event)];
      const status = statusAfter(event);
      const state = status === undefined ? undefined : sessions.turn(session, status);
      if (state !== undefined) events.push(state);
      if (event.event_type === "heartbeat") events.push(...heartbeats.beat(session.stream));
      if (event.event_type === "session_end") heartbeats.end(session.stream);
      await sessions.write(session, events);
    });
    // After the log has it: nobody is told what did not happen.
    deps.forward(event);
  }

  /** In a batch notifications are heard, and judged like questions. */
  async function decide(event: AhpEvent, call: Call<Peer>): Promise<AnyDecision> {
    if (!isBlocking(event.event_type)) await tell(event, call);
    return ask(event, call);
  }

  const noted = new Map<string, { at: number; unsaid: number }>();

  /** Bad notifications get no answer; the log says that they came. A flood of them is counted, not kept. */
  async function note({ reason, method, call }: Ignored<Peer>): Promise<void> {
    const hello = call.agent;
    const actor = await call.context.actor();
    // Before a greeting nobody knows whose session it is: it is the installation's to know.
    const session =
      hello === undefined ? undefined : await sessions.open(actor, hello.session_id, hello, hello.agent_id);
    const key = session?.stream ?? JSON.stringify([actor.project, actor.name]);
    const last = noted.get(key);
    if (last !== undefined && clock.now() - last.at < QUIET_MS) {
      last.unsaid += 1;
      return;
    }
    if (noted.size > 10_000) noted.clear();
    noted.set(key, { at: clock.now(), unsaid: 0 });
    const event: NewEvent = {
      type: "runtime.transport.diagnostic",
      ...(hello === undefined ? {} : { agent_id: hello.agent_id }),
      data: {
        kind: "ahp_message",
        status: "ignored",
        reason: reason.message.slice(0, 500),
        failure_count: 1 + (last?.unsaid ?? 0),
        details: {
          code: reason.code,
          transport: call.transport,
          ...(hello === undefined ? { actor: actor.name } : {}),
          ...(method === undefined ? {} : { method: method.slice(0, 100) }),
        },
      },
    };
    if (session === undefined) await deps.tellSystem(event);
    else await sessions.write(session, [event]);
  }

  // The casts restore what supervision guarantees: a decision of the event's own type, which is checked again.
  const answer = (event: AhpEvent, call: Call<Peer>) => ask(event, call) as Promise<never>;
  const handlers: Handlers<Peer> = {
    pre_action: answer,
    pre_prompt: answer,
    idle: answer,
    intent_detection: answer,
    context_perception: answer,
    memory_recall: answer,
    planning: answer,
    reasoning: answer,
    rate_limit: answer,
    confirmation: answer,
    decide: (event, call) => decide(event, call) as Promise<never>,
    heartbeat: tell,
    success: tell,
    notify: tell,
    query: async (query, call) => queries(await call.context.actor(), query),
  };
  return { handlers, onIgnored: (ignored: Ignored<Peer>) => void note(ignored).catch(deps.report) };
}
