import {
  type AnyEvent,
  FairleadError,
  type Reflection,
  type SessionId,
  type SessionRow,
  type SessionState,
  isReservedAlias,
  isStreamId,
} from "@fairlead/contract";
import { type Actor, scopeOf } from "../domain/actor.ts";
import { given } from "../domain/given.ts";
import { type StoredSession, createSession, toSessionRow } from "../domain/session.ts";
import { madeWith } from "../domain/made-with.ts";
import type { EventLog, Refusal, RowPage, StreamInfo } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import type { Timers } from "../ports/timers.ts";
import { aliasKeys, commandStream, resolveStream } from "./access.ts";
import { retireFamily } from "./delegation/retire.ts";
import { type HeartbeatDeps, withHeartbeats } from "./heartbeat.ts";
import { commandKey, firstResult } from "./idempotency.ts";
import { type Models, refOf } from "./models.ts";
import { plainName } from "./names.ts";
import { badRequest, demand, refused } from "./refusal.ts";
import { demandModes, policyOf, settingsOf } from "./session-choice.ts";
import { sessionQuery } from "./session-query.ts";
import { restate } from "./restate.ts";
import { trimSession } from "./trim.ts";
import type { CreateSession, NewKind, SessionChoice, Sessions } from "./types.ts";
import { forgetPurged, type PurgedDeps } from "./workspaces/purged.ts";
import type { Roots } from "./workspaces/roots.ts";

export interface SessionsDeps extends HeartbeatDeps, PurgedDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly models: Models;
  readonly roots: Pick<Roots, "demand">;
  /** What tools of a new session are kept in. Without it the state says that it is not known. */
  readonly sandbox?: () => Pick<SessionState, "sandbox_mode" | "sandbox_isolation">;
  /** When models look back, in sessions that do not say. */
  readonly reflection?: Reflection;
  /** Told what a session was made with. Must not throw. */
  readonly made?: (session: SessionId, events: readonly AnyEvent[]) => void;
}

const CHAT: NewKind = { kind: "chat", body: {}, events: (first) => [first] };

export function createSessions(deps: SessionsDeps): Sessions {
  const { log, ids, timers, models, roots, sandbox, reflection, made } = deps;

  /** The row with the head as it is now: the row itself moves only with the events it is folded from. */
  async function rowOf(stream: StreamInfo): Promise<SessionRow> {
    const row = await log.row<StoredSession>("session", stream.id);
    if (row === undefined)
      throw new FairleadError("session_not_found", { details: { session_id: stream.id } });
    const [shown] = await withHeartbeats(deps, [toSessionRow(row, stream.head_seq)]);
    return shown as SessionRow;
  }

  async function replay(actor: Actor, event: AnyEvent): Promise<SessionRow> {
    return rowOf(await resolveStream(log, actor, event.stream));
  }

  async function create(actor: Actor, input: CreateSession, as: NewKind = CHAT): Promise<SessionRow> {
    demand(actor, "session.create");
    const project = plainName("project", projectFor(actor, input.project));
    const model = input.model === undefined ? models.main : models.demand(input.model);
    demandModes(actor, input);
    const alias = plainName("alias", input.alias ?? null);
    if (alias !== null && isStreamId(alias))
      throw badRequest("An alias must not look like an id of the runtime.", { alias });
    if (alias !== null && isReservedAlias(alias))
      throw badRequest("`all`, `.` and `..` mean something else, so they are no aliases.", { alias });
    const { idempotencyKey, ...body } = input;
    const command =
      idempotencyKey === undefined
        ? undefined
        : commandKey(actor, idempotencyKey, { command: "session.create", ...body, ...as.body });
    const first = await firstResult(log, command);
    if (first !== undefined) return replay(actor, first);

    const source = input.workspace === undefined ? undefined : await roots.demand(input.workspace);
    const session_id = ids.next("session");
    const title = input.title ?? null;
    const event = createSession({
      session_id,
      kind: as.kind,
      title,
      alias,
      provider: model.provider,
      model: refOf(model),
      settings: { ...given({ reflection }), ...settingsOf(input), ...policyOf(input) },
      ...(source === undefined ? {} : { source }),
      ...(sandbox === undefined ? {} : { sandbox: sandbox() }),
      cause: command?.cause ?? null,
    });
    const aliases = alias === null ? [] : aliasKeys(actor, project, alias);
    const appended = await log.append({
      writes: [
        {
          stream: session_id,
          events: as.events(madeWith(event, actor)),
          create: { owner: "user", kind: as.kind, project, broadcast: false, created_by: actor.name },
        },
      ],
      keys: command === undefined ? aliases : [command.claim, ...aliases],
    });
    if (appended.ok) {
      made?.(session_id, appended.events);
      return rowOf(await resolveStream(log, actor, session_id));
    }
    // The same command came twice at once, and the other was first.
    const winner = await firstResult(log, command);
    if (winner !== undefined) return replay(actor, winner);
    throw refused(aliasTaken(appended.refusal, alias));
  }

  /** Written over whatever is said meanwhile: a driver that has not heard of it yet does not undo it. */
  async function configure(actor: Actor, ref: string, choice: SessionChoice): Promise<SessionRow> {
    demand(actor, "turn.start");
    demandModes(actor, choice);
    const stream = await commandStream(log, actor, ref);
    const model = choice.model === undefined ? undefined : models.demand(choice.model);
    const changes = {
      ...settingsOf(choice),
      ...(choice.title === undefined ? {} : { title: choice.title }),
      ...(model === undefined ? {} : { model: refOf(model), provider: model.provider }),
    };
    if (Object.keys(changes).length === 0) throw badRequest("There is nothing to change.");
    await restate(log, stream.id, actor.name, () => changes);
    return rowOf(await resolveStream(log, actor, stream.id));
  }

  async function list(actor: Actor, query: Parameters<Sessions["list"]>[1]): Promise<RowPage<SessionRow>> {
    demand(actor, "session.read");
    const { project, limit, cursor } = query;
    if (project !== undefined && actor.project !== null && actor.project !== project)
      return { rows: [], cursor: null };
    const scope = { ...scopeOf(actor), ...(project === undefined ? {} : { project }) };
    const wanted = { ...sessionQuery(actor, query), scope, limit, cursor };
    const page = await log.rows<StoredSession>("session", wanted);
    const rows = page.rows.map((row) => toSessionRow(row, row.head_seq));
    return { ...page, rows: await withHeartbeats(deps, rows) };
  }

  return {
    create,
    configure,
    list,
    resolve: (actor, ref) => resolveStream(log, actor, ref),
    get: async (actor, ref) => rowOf(await resolveStream(log, actor, ref)),
    async trim(actor, ref, upTo) {
      demand(actor, "session.trim");
      return trimSession({ log, ids, timers }, await commandStream(log, actor, ref), upTo);
    },
    async purge(actor, ref, reason) {
      demand(actor, "session.purge");
      const stream = await commandStream(log, actor, ref);
      await forgetPurged(deps, await retireFamily({ log, ids }, stream, actor.name, reason));
    },
  };
}

/** The project a new session belongs to: the actor's own, or for those of none the one they name. To ask for none is to ask for another. */
function projectFor(actor: Actor, asked: string | null | undefined): string | null {
  if (actor.project === null) return asked ?? null;
  if (asked === undefined || asked === actor.project) return actor.project;
  throw new FairleadError("forbidden", {
    message: `This credential is for the project ${actor.project}.`,
    details: { project: asked },
  });
}

function aliasTaken(refusal: Refusal, alias: string | null): Refusal {
  if (refusal.code !== "key_taken" || alias === null) return refusal;
  const session_id = refusal.details?.["stream"] as SessionId | undefined;
  return {
    code: "key_taken",
    message: `The alias ${alias} belongs to another session.`,
    details: { alias, session_id },
  };
}
