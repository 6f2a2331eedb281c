import type { NewEvent, SessionId } from "@fairlead/contract";
import type { StoredSession } from "../../domain/session.ts";
import { snapshotArtifact } from "../../domain/workspace/artifacts.ts";
import { besideIdOf, needsPlace, unkeptNotice, unkeptProject } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import { whyOf } from "./keeper.ts";
import { isNews, saidUnkept } from "./newest.ts";
import type { Roots } from "./roots.ts";

export interface BesideDeps {
  readonly log: EventLog;
  readonly roots: Roots;
  readonly workspaces?: Workspaces;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Keeps the files that a person's own call of a tool works on. Never rejects: what goes wrong is reported, and said. */
export interface Beside {
  /** What is to be said of them before it runs: people and other sessions write in a project too. */
  before(session: SessionId): Promise<readonly NewEvent[]>;
  /** What is to be said of them after it ran. */
  after(session: SessionId): Promise<readonly NewEvent[]>;
}

/** Whoever drives the session may keep them at the same time, so this has an id of its own. */
export function createBeside({ log, roots, workspaces, report }: BesideDeps): Beside {
  async function keep(session: SessionId, own: boolean): Promise<readonly NewEvent[]> {
    if (workspaces === undefined) return [];
    const { state } = (await log.row<StoredSession>("session", session)) ?? {};
    const inside = state?.workspace_id ?? undefined;
    try {
      const order = { id: besideIdOf(session), session_id: session };
      if (inside === undefined && workspaces.isolates && needsPlace(state ?? null)) return [];
      if (inside !== undefined && !own) return [];
      const kept =
        inside === undefined
          ? await workspaces.keepProject({ ...order, source: await roots.of(state ?? null) })
          : await workspaces.keep({ ...order, inside });
      if (kept === undefined) return [];
      if ("unkept" in kept)
        return (await saidUnkept(log, session)) ? [] : [unkeptProject(state ?? null, kept)];
      if (!(await isNews(log, session, kept.ref))) return [];
      return [snapshotArtifact({ workspace_id: order.id, ref: kept.ref }, kept.base)];
    } catch (error) {
      report(error);
      const place = inside === undefined ? undefined : await workspaces.find(inside).catch(() => undefined);
      return [
        place === undefined
          ? unkeptProject(state ?? null, { why: whyOf(error) })
          : unkeptNotice(place, "The files of the task workspace could not be kept here."),
      ];
    }
  }

  return {
    before: (session) => keep(session, false),
    after: (session) => keep(session, true),
  };
}
