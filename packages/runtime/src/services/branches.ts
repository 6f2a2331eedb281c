import {
  type AnyEvent,
  FairleadError,
  type SessionId,
  type SessionRow,
  type SessionSettings,
} from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { branchEvents } from "../domain/branch.ts";
import { branchTitle } from "../domain/branch-title.ts";
import { madeWith } from "../domain/made-with.ts";
import type { LoopState } from "../domain/loop/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventLog, Refusal, StreamInfo } from "../ports/event-log.ts";
import type { RowTest } from "../ports/row-query.ts";
import type { Ids } from "../ports/ids.ts";
import type { Workspaces } from "../ports/workspaces.ts";
import { commandStream } from "./access.ts";
import { placeForBranch } from "./workspaces/for-branch.ts";
import { findPoint } from "./branch-point.ts";
import { summarise } from "./branch-summary.ts";
import { commandKey, firstResult } from "./idempotency.ts";
import { loadCarried } from "./loop/load.ts";
import { type Models, refOf } from "./models.ts";
import { badRequest, demand, refused } from "./refusal.ts";
import { demandModes, settingsOf, tightened } from "./session-choice.ts";
import type { BranchKind, BranchSession, Branches, Sessions } from "./types.ts";

export interface BranchesDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly models: Models;
  readonly sessions: Pick<Sessions, "get">;
  readonly workspaces?: Workspaces;
  /** Told of what cannot be put in the log. Must not throw. */
  readonly report: (error: unknown) => void;
}

const MOST_TRIES = 20;
const CHAT: BranchKind = { kind: "chat", body: {}, changes: {}, events: (first) => first };

export function createBranches({
  log,
  ids,
  clock,
  models,
  sessions,
  workspaces,
  report,
}: BranchesDeps): Branches {
  async function branch(
    actor: Actor,
    ref: string,
    input: BranchSession,
    as: BranchKind = CHAT,
  ): Promise<SessionRow> {
    demand(actor, "session.create");
    demandModes(actor, input);
    const { idempotencyKey, ...body } = input;
    if (body.from_event_id !== undefined && body.resume_cursor !== undefined)
      throw badRequest("Give `from_event_id` or `resume_cursor`, not both.");
    const parent = await commandStream(log, actor, ref);
    demandOwn(parent);
    const command =
      idempotencyKey === undefined
        ? undefined
        : commandKey(actor, idempotencyKey, {
            command: "session.branch",
            session: parent.id,
            ...body,
            ...as.body,
          });
    const replay = (event: AnyEvent) => sessions.get(actor, event.stream);
    const first = await firstResult(log, command);
    if (first !== undefined) return replay(first);

    const point = await findPoint(log, parent, body);
    const { seq, id, stream } = point.event;
    const { state: loop } = await loadCarried(log, parent.id, seq);
    const { text, details } = await summarise(log, parent.id, loop.settings?.title ?? null, point);
    const session_id = ids.next("session");
    const place = await placeForBranch({ log, workspaces, report }, parent.id, seq, {
      session_id,
      kind: as.kind,
    });
    const events = branchEvents({
      session_id,
      place,
      kind: as.kind,
      source: { session: stream, event_id: id, resume_cursor: point.resume_cursor },
      loop,
      title: await titleFor(stream, loop),
      changes: { ...changesOf(actor, body, loop), ...as.changes },
      summary: text,
      details: {
        ...details,
        turns: loop.turns,
        closed_turn_id: loop.turn?.turn_id ?? null,
        workspace: place.details,
      },
      actor: actor.name,
      cause: command?.cause ?? null,
      at: new Date(clock.now()).toISOString(),
    });
    const appended = await log.append({
      writes: [
        {
          stream: session_id,
          events: as.events(
            events.map((event) => madeWith(event, actor)),
            loop,
          ),
          create: {
            owner: "user",
            kind: as.kind,
            project: parent.project,
            broadcast: false,
            created_by: actor.name,
            fork: { parent: parent.id, seq },
          },
        },
      ],
      ...(command === undefined ? {} : { keys: [command.claim] }),
    });
    if (appended.ok) return sessions.get(actor, session_id);
    // The same command came twice at once, and the other was first.
    const winner = await firstResult(log, command);
    if (winner !== undefined) return replay(winner);
    throw refused(trimmedMeanwhile(appended.refusal, parent.id));
  }

  /** Lists would show two of the same name. Numbers count the branches of the session that has the event, whoever was asked. */
  async function titleFor(of: string, { settings }: LoopState): Promise<string | null> {
    const count = (where: readonly RowTest[]) => log.count("session", { where, scope: { owner: "any" } });
    const siblings = { field: ["parent_session_id"], in: [of] };
    const before = await count([siblings, { field: ["kind"], not: ["subagent"] }]);
    // One of them may be gone, or have been given a title.
    for (let number = before; number < before + MOST_TRIES; number++) {
      const title = branchTitle(settings?.title, number);
      if (title === null || (await count([siblings, { field: ["title"], in: [title] }])) === 0) return title;
    }
    return branchTitle(settings?.title, before);
  }

  function changesOf(actor: Actor, input: BranchSession, { settings }: LoopState): SessionSettings {
    const model = input.model === undefined ? undefined : models.demand(input.model);
    return {
      ...tightened(actor, settings ?? {}),
      ...settingsOf(input),
      ...(input.title === undefined ? {} : { title: input.title }),
      ...(model === undefined ? {} : { model: refOf(model), provider: model.provider }),
    };
  }

  return { branch };
}

/** Of a foreign agent's session we have what it told us, not the conversation that its model would need. */
function demandOwn({ id, kind }: StreamInfo): void {
  if (kind === "supervised") throw new FairleadError("branch_unsupported", { details: { session_id: id } });
}

/** The place was there when we looked. */
function trimmedMeanwhile(refusal: Refusal, session_id: SessionId): Refusal {
  if (refusal.code !== "invalid_cursor") return refusal;
  return {
    code: "history_trimmed",
    message: "The events up to that place were trimmed meanwhile.",
    details: { session_id },
  };
}
