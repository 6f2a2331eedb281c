import {
  FairleadError,
  type NewEvent,
  type SessionId,
  type SessionState,
  TURN_FAILURES,
} from "@fairlead/contract";
import {
  changeArtifact,
  snapshotArtifact,
  taskGraphArtifact,
  workspaceArtifact,
} from "../../domain/workspace/artifacts.ts";
import {
  needsPlace,
  placeNotice,
  preparedWhy,
  taskGraphIdOf,
  workspaceIdOf,
} from "../../domain/workspace/own-place.ts";
import { onlyReads } from "../../domain/workspace/only-reads.ts";
import type { CallState, TurnOfLoop } from "../../domain/loop/state.ts";
import type { Workspace, Workspaces } from "../../ports/workspaces.ts";
import { elsewhere, isElsewhere } from "./elsewhere.ts";
import { createKeeper } from "./keeper.ts";
import { newestSnapshot } from "./newest.ts";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";
import type { Roots } from "./roots.ts";
import { finishedGraph } from "./task-graph.ts";
import { endTurn } from "../loop/end.ts";

/**
 * Where the tools of one driven session work. Invariants:
 * 1. Once a session has a workspace of its own, nothing of it ever works elsewhere: where that cannot be had, the turn fails.
 * 2. It is made when something is about to write, not before: a session that waits to be allowed to has none to clean up.
 * 3. What was made is in the log before anything runs in it.
 */
export interface Place {
  /** Absolute. */
  path(): string;
  /** What actions are judged by: also before it is made, the project is not the agent's. */
  judgedBy(): string;
  /** To be called before each step of an open turn. False: the turn has ended for want of it. At once where nothing is to do. */
  open(drive: Drive): boolean | Promise<boolean>;
  /** To be called before calls run. False: the turn has ended for want of it. */
  beforeCalls(drive: Drive, calls: readonly CallState[]): Promise<boolean>;
  /** To be called after they ran: keeps the files as they are now. */
  afterCalls(drive: Drive, calls: readonly CallState[]): Promise<void>;
  /** To be called before a turn completes: keeps the files, and offers the change. */
  finish(drive: Drive): Promise<void>;
}

export interface PlaceDeps {
  readonly workspaces: Workspaces | undefined;
  /** Where sessions without a place of their own work. */
  readonly roots: Roots;
  /** As the session's state stands. */
  readonly state: () => SessionState | null;
}

export function createPlace({ workspaces, roots, state }: PlaceDeps, session: SessionId): Place {
  const keeper = workspaces === undefined ? undefined : createKeeper(workspaces, session);
  let current: Workspace | undefined;
  /** The turn in which the files of a place that others write in too are on record as they were before. */
  let begun: string | undefined;
  /** Something may have been written since the change was last offered. */
  let wrote = false;
  let recovered = false;
  let judged: string | undefined;
  const project = (): string => state()?.workspace_source ?? (roots.all[0] as string);

  const needs = (settings: SessionState | null): boolean =>
    workspaces?.isolates === true && needsPlace(settings);

  async function fail(drive: Drive, error: unknown): Promise<false> {
    if (!(error instanceof FairleadError)) drive.report(error);
    const why = error instanceof FairleadError ? error.message : "";
    const command = { kind: "fail", code: "workspace" } as const;
    await endTurn(drive, { ...command, error: `${TURN_FAILURES.workspace} ${why}`.trim() });
    return false;
  }

  function open(drive: Drive): boolean | Promise<boolean> {
    const { settings, turn } = drive.journal.state;
    const id = settings?.workspace_id ?? undefined;
    judged = id === undefined && needs(settings) ? workspaces?.pathOf(workspaceIdOf(session)) : undefined;
    if (turn === null || turn.waits !== null) return true;
    const isBack = turn.calls.some(({ stage }) => stage.at === "back");
    if (id !== undefined && current?.id === id) {
      // Sub-agents have worked in it, and are about to be said to have ended.
      return isBack ? keep(drive).then(() => true) : true;
    }
    // In the first root, of which nothing has to be looked at, and nobody wrote there unseen.
    const asItWas = id === undefined && (settings?.workspace_source ?? null) === null;
    return asItWas && !isBack && turn.losses === 0 ? true : openNow(drive, turn, id);
  }

  async function openNow(drive: Drive, turn: TurnOfLoop, id: string | undefined): Promise<boolean> {
    const { settings } = drive.journal.state;
    try {
      if (id === undefined) {
        await roots.of(settings);
        await catchUp(drive, turn);
        return true;
      }
      if (workspaces === undefined || isElsewhere(settings?.workspace_host, workspaces.host()))
        throw elsewhere(settings?.workspace_host);
      current = await workspaces.open(id);
      // The process that drove it is gone, perhaps before it could keep what its tools did.
      wrote ||= turn.losses > 0;
      if (wrote || turn.calls.some(({ stage }) => stage.at === "back")) await keep(drive);
      return true;
    } catch (error) {
      return fail(drive, error);
    }
  }

  async function prepare(drive: Drive, own: Workspaces): Promise<void> {
    const { journal } = drive;
    // What led to it is durable before anything is made outside.
    await journal.flush();
    const id = workspaceIdOf(session);
    current = await own.prepare({ id, session_id: session, source: project() });
    const envelope = envelopeOf(drive);
    const task_graph_id = taskGraphIdOf(session);
    // As it is now: others may have changed it meanwhile.
    const settings = journal.state.settings as SessionState;
    const title = settings.title ?? "The task";
    const events: readonly NewEvent[] = [
      placeNotice(current, preparedWhy(current)),
      workspaceArtifact(current),
      snapshotArtifact({ workspace_id: id, ref: current.last }, current.base),
      taskGraphArtifact(task_graph_id, [{ id: "task", title, status: "running" }]),
      {
        type: "runtime.session.state",
        data: {
          ...settings,
          workspace_id: id,
          workspace_host: current.host,
          workspace: current.path,
          task_graph_id,
        },
      },
    ];
    journal.emit(events.map((event) => ({ ...envelope, ...event })));
  }

  /** Whose session it is: a sub-agent works in the place of who delegated, and leaves it to them to offer the change. */
  function isOwn(): boolean {
    return current !== undefined && current.session_id === session;
  }

  async function keep(drive: Drive): Promise<void> {
    if (current !== undefined) await keeper?.keep(drive, current);
    else if (!needs(drive.journal.state.settings)) await keeper?.keep(drive, { project: project() });
  }

  /** What was written in the project while nobody could keep it: by a process that is gone, or by sub-agents. */
  async function catchUp(drive: Drive, { losses, calls }: TurnOfLoop): Promise<void> {
    if (workspaces === undefined) return;
    const first = losses > 0 && !recovered;
    recovered = true;
    const lost = first && (await workspaces.find(workspaceIdOf(session))) !== undefined;
    if (lost || (await anyKept(drive, calls))) await keep(drive);
  }

  return {
    path: () => current?.path ?? project(),
    judgedBy: () => current?.path ?? judged ?? project(),
    open,

    async beforeCalls(drive, calls) {
      const { settings } = drive.journal.state;
      if (workspaces === undefined || settings === null || !calls.some(writes)) return true;
      if (current !== undefined || !needs(settings)) {
        if (!calls.some(changes)) return true;
        const { turn_id } = turnOf(drive);
        if (!isOwn() && begun !== turn_id) await keep(drive);
        begun = turn_id;
        return true;
      }
      try {
        await prepare(drive, workspaces);
        return true;
      } catch (error) {
        return fail(drive, error);
      }
    },

    async afterCalls(drive, calls) {
      // A sub-agent that works in the project has only begun.
      if (workspaces === undefined || !calls.some(current === undefined ? writesItself : changes)) return;
      wrote = true;
      // Keeping them takes its time: who dies meanwhile leaves no call behind of which nobody knows how it ended.
      await drive.journal.flush();
      await keep(drive);
    },

    async finish(drive) {
      if (workspaces === undefined || current === undefined) return;
      if (isOwn() || begun !== undefined) await keep(drive);
      const { settings } = drive.journal.state;
      // A chat has no end: its change is offered when a turn has changed something.
      const offers = needsPlace(settings) || wrote;
      if (!isOwn() || !offers) return;
      wrote = false;
      const { id } = current;
      try {
        const name = session;
        const message = settings?.title ?? `The work of ${session}`;
        const offer = await workspaces.offer({ id, name, message });
        const graph = needsPlace(settings) ? [await finishedGraph(drive, taskGraphIdOf(session))] : [];
        const events = [...graph, changeArtifact(id, offer)];
        drive.journal.emit(events.map((event) => ({ ...envelopeOf(drive), ...event })));
      } catch (error) {
        drive.report(error);
        const why = "The change could not be offered; the files are in the task workspace.";
        drive.journal.emit([{ ...envelopeOf(drive), ...placeNotice(current, why) }]);
      }
    },
  };
}

/** Whether a sub-agent of these wrote: then it has kept files itself. */
async function anyKept({ log }: Drive, calls: readonly CallState[]): Promise<boolean> {
  for (const { stage } of calls)
    if (stage.at === "back" && (await newestSnapshot(log, stage.session_id, Number.MAX_SAFE_INTEGER - 1)))
      return true;
  return false;
}

function writesItself(call: CallState): boolean {
  return changes(call) && call.started?.delegates !== true;
}

/** Whether it may leave other files than it found. */
function changes(call: CallState): boolean {
  return writes(call) && (call.started === undefined || !onlyReads(call.started));
}

/** Whether it is to run where it may write. */
function writes({ started }: CallState): boolean {
  return started === undefined || started.access !== "read" || started.delegates === true;
}
