import type { HandshakeParams } from "@fairlead/ahp";
import type { NewEvent, SessionId, SessionState, SessionStatus, StreamId } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { type StoredSession, stateOf } from "../domain/session.ts";
import { aliasOf, stateEvent, supervisedKey, supervisedState } from "../domain/supervision/supervised.ts";
import { count, newTally, TALLIED, type Tally } from "../domain/supervision/tally.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import { aliasKeys } from "../services/access.ts";
import { lastSnapshot } from "../services/loop/load.ts";
import { refused } from "../services/refusal.ts";

/** The session of one agent: what it calls `session_id`, and where that is in the log. */
export interface Supervised {
  readonly actor: Actor;
  readonly agentSession: string;
  readonly stream: SessionId;
  readonly caller: string;
  readonly tally: Tally;
  readonly workspace?: string;
  state: SessionState;
}

export interface AgentSessions {
  /** The agent's session; made when it is not there. */
  open(
    actor: Actor,
    agentSession: string,
    hello: HandshakeParams | undefined,
    agent_id: string,
  ): Promise<Supervised>;
  /** Undefined when the agent never had one of that name. */
  find(actor: Actor, agentSession: string): Promise<Supervised | undefined>;
  /** Resolves when durable. */
  write(session: Supervised, events: readonly NewEvent[]): Promise<void>;
  /** The state event that a new status takes; undefined when it is that already. */
  turn(session: Supervised, status: SessionStatus, more?: Partial<SessionState>): NewEvent | undefined;
  /** To be called when the log says that it is gone. */
  forget(session: Supervised): void;
}

export interface AgentSessionsDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly workspace?: string;
  /** Sessions kept in memory; others are read from the log when they speak again. */
  readonly most?: number;
}

const MOST = 10_000;
const PAGE = 1_000;
const GENERATIONS = 100;

export function createAgentSessions({
  log,
  ids,
  clock,
  workspace,
  most = MOST,
}: AgentSessionsDeps): AgentSessions {
  const known = new Map<string, Promise<Supervised>>();

  const nameOf = (actor: Actor, agentSession: string): string =>
    JSON.stringify([actor.project, actor.name, agentSession]);

  /** The stream of the newest generation that was not purged, or the number of the next one. */
  async function locate(actor: Actor, agentSession: string): Promise<StreamId | number> {
    for (let generation = 0; generation < GENERATIONS; generation++) {
      const ref = await log.findKey(supervisedKey(actor, agentSession, generation));
      if (ref === undefined) return generation;
      const stream = await log.stream(ref.stream);
      if (stream?.state === "open") return stream.id;
    }
    throw new Error(`The session ${agentSession} was purged too often.`);
  }

  async function load(actor: Actor, agentSession: string, stream: StreamId): Promise<Supervised> {
    const row = await log.row<StoredSession>("session", stream);
    if (row === undefined) throw new Error(`The session ${stream} has no row.`);
    return made(actor, agentSession, row.session_id, stateOf(row), await retell(row.session_id));
  }

  function made(
    actor: Actor,
    agentSession: string,
    stream: SessionId,
    state: SessionState,
    tally: Tally,
  ): Supervised {
    const caller = JSON.stringify([actor.project, actor.name]);
    return {
      actor,
      caller,
      agentSession,
      stream,
      state,
      tally,
      ...(workspace === undefined ? {} : { workspace }),
    };
  }

  /** What happened so far, from the log: of what was trimmed, from the snapshot that stands for it. */
  async function retell(stream: SessionId): Promise<Tally> {
    const kept = await lastSnapshot(log, stream, Number.MAX_SAFE_INTEGER - 1, true);
    const tally = kept?.tally ?? newTally();
    for (let after: number | null = kept?.state.seq ?? 0; after !== null;) {
      const page = await log.read(stream, { after, limit: PAGE, types: TALLIED });
      for (const event of page.events) count(tally, event, Date.parse(event.at));
      after = page.next;
    }
    return tally;
  }

  async function create(
    actor: Actor,
    agentSession: string,
    generation: number,
    hello: HandshakeParams | undefined,
    agent_id: string,
    alias: string | null,
  ): Promise<Supervised | undefined> {
    const session_id = ids.next("session");
    const state = supervisedState({ session_id, agentSession, alias, agent_id, agent: hello?.agent_info });
    const { name: created_by, project } = actor;
    const own = supervisedKey(actor, agentSession, generation);
    const appended = await log.append({
      writes: [
        {
          stream: session_id,
          events: [stateEvent(state)],
          create: { owner: "user", kind: "supervised", project, broadcast: false, created_by },
        },
      ],
      keys: [own, ...(alias === null ? [] : aliasKeys(actor, project, alias))],
    });
    if (appended.ok) return made(actor, agentSession, session_id, state, newTally());
    if (appended.refusal.code !== "key_taken") throw refused(appended.refusal);
    return undefined;
  }

  async function openOnce(
    ...[actor, agentSession, hello, agent_id]: Parameters<AgentSessions["open"]>
  ): Promise<Supervised> {
    for (const alias of [aliasOf(agentSession), null]) {
      const found = await locate(actor, agentSession);
      if (typeof found === "string") return load(actor, agentSession, found);
      const session = await create(actor, agentSession, found, hello, agent_id, alias);
      if (session !== undefined) return session;
      // Somebody else made it at the same time, or the agent has another session of that name.
    }
    const found = await locate(actor, agentSession);
    if (typeof found === "string") return load(actor, agentSession, found);
    throw new Error(`The session ${agentSession} can neither be found nor made.`);
  }

  /** One attempt at a time for each name; the one silent longest is forgotten when there are too many. */
  function remember(name: string, make: () => Promise<Supervised>): Promise<Supervised> {
    const before = known.get(name);
    known.delete(name);
    const session = before ?? make();
    known.set(name, session);
    if (before === undefined) {
      session.catch(() => known.get(name) === session && known.delete(name));
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    }
    return session;
  }

  return {
    open: (actor, agentSession, hello, agent_id) =>
      remember(nameOf(actor, agentSession), () => openOnce(actor, agentSession, hello, agent_id)),
    async find(actor, agentSession) {
      const name = nameOf(actor, agentSession);
      if (known.has(name)) return known.get(name);
      const found = await locate(actor, agentSession);
      if (typeof found !== "string") return undefined;
      return remember(name, () => load(actor, agentSession, found));
    },
    async write(session, events) {
      const appended = await log.append({ writes: [{ stream: session.stream, events }] });
      if (!appended.ok) throw refused(appended.refusal);
      for (const event of events) count(session.tally, event, clock.now());
    },
    turn(session, status, more = {}) {
      if (session.state.status === status && Object.keys(more).length === 0) return undefined;
      session.state = { ...session.state, ...more, status };
      return stateEvent(session.state);
    },
    forget: (session) => void known.delete(nameOf(session.actor, session.agentSession)),
  };
}
