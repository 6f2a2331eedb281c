import { type AnyEvent, FairleadError } from "@fairlead/contract";
import { createVisibility, FACES, type Runtime, SYSTEM_ACTOR, tierFilter } from "@fairlead/runtime";
import type { Backend, FollowQuery, Frame, FrameQuery, Item, ReplayQuery, SaidInput } from "../backend.ts";
import { Failure } from "../failure.ts";

interface LocalOptions {
  readonly runtime: Runtime;
  readonly user: string;
  readonly shared: boolean;
}

/** The runtime in this process. Whoever can open the store may do everything. */
export function localBackend({ runtime, user, shared }: LocalOptions): Backend {
  const { log, services } = runtime;
  const actor = { ...SYSTEM_ACTOR, name: user };
  const { sessions, details, branches, comparisons, kernel, turns, questions, grants, tokens, hooks } =
    services;
  const visibility = createVisibility(log);

  function framesOf({ face = "frontend", tier }: FrameQuery): (event: AnyEvent) => Frame | null {
    const shows = tierFilter(tier);
    return (event) => (shows(event) ? FACES[face](event) : null);
  }

  async function streamOf(session: string, after: number) {
    const { id, head_seq } = await sessions.resolve(actor, session);
    if (after > head_seq)
      throw new FairleadError("invalid_cursor", { message: `The session ends at ${head_seq}.` });
    return id;
  }

  async function* replay(query: ReplayQuery): AsyncGenerator<Item> {
    const { session, after = 0, history } = query;
    const toFrame = framesOf(query);
    if (session === undefined) return yield* replayAll(after, toFrame);
    const id = await streamOf(session, after);
    for (let next: number | null = after; next !== null;) {
      const page = await log.read(id, { after: next, history });
      for (const event of page.events) {
        const frame = toFrame(event);
        if (frame !== null) yield { cursor: event.seq, frame };
      }
      next = page.next;
    }
  }

  async function* replayAll(from: number, toFrame: (event: AnyEvent) => Frame | null): AsyncGenerator<Item> {
    const end = await log.lastPosition();
    for (let after = from; after < end;) {
      const { events, next } = await log.readAll({ after });
      yield* visible(
        events.filter(({ pos }) => pos <= end),
        toFrame,
      );
      if (next <= after) return;
      after = next;
    }
  }

  async function* follow(query: FollowQuery): AsyncGenerator<Item> {
    const { session, after: from = 0, history, signal, onCursor } = query;
    const toFrame = framesOf(query);
    if (session === undefined) {
      const after = from === "latest" ? await log.lastPosition() : from;
      onCursor?.(after);
      for await (const batch of log.subscribeAll({ after, signal })) {
        yield* visible(batch, toFrame);
        onCursor?.(batch.at(-1)?.pos ?? after);
      }
      return;
    }
    const after = from === "latest" ? (await sessions.resolve(actor, session)).head_seq : from;
    const id = await streamOf(session, after);
    for await (const batch of log.subscribe(id, { after, history, signal })) {
      for (const event of batch) {
        const frame = toFrame(event);
        if (frame !== null) yield { cursor: event.seq, frame };
        onCursor?.(event.seq);
      }
    }
  }

  type Positioned = Awaited<ReturnType<typeof log.readAll>>["events"];
  async function* visible(batch: Positioned, toFrame: (event: AnyEvent) => Frame | null) {
    for (const { pos, event, visible: shown } of await visibility.of(actor, batch)) {
      const frame = shown ? toFrame(event) : null;
      if (frame !== null) yield { cursor: pos, frame };
    }
  }

  return {
    name: runtime.store,
    shared,
    createSession: (input) => sessions.create(actor, input),
    getSession: (ref) => sessions.get(actor, ref),
    sessionHealth: async (ref) => services.health.of(await sessions.get(actor, ref)),
    sessionDetail: (ref, limit) => details.chat(actor, ref, { limit }),
    compareSessions: (a, b) => comparisons.compare(actor, a, b),
    offerChange: (ref) => services.offers.offer(actor, ref),
    branchSession: (ref, input) => branches.branch(actor, ref, input),
    listSessions: ({ status, ...query }) => kernel.list(actor, { ...query, status: status && [status] }),
    startWork: (input) => kernel.start(actor, input),
    pauseWork: (ref, reason) => kernel.pause(actor, ref, reason),
    resumeWork: (ref, input) => kernel.resume(actor, ref, input),
    cancelWork: (ref, reason) => kernel.cancel(actor, ref, reason),
    acceptWork: (ref, reason) => kernel.accept(actor, ref, reason),
    setPolicy: (ref, change) => kernel.setPolicy(actor, ref, change),
    listQuestions: (query) => questions.list(actor, query),
    getQuestion: (id) => questions.get(actor, id),
    decideQuestion: (id, decision) => questions.decide(actor, id, decision),
    listGrants: (query) => grants.list(actor, query),
    revokeGrant: (id, reason) => grants.revoke(actor, id, reason),
    listModels: async () => services.models.list(),
    listHooks: () => hooks.list(actor),
    getHook: (name) => hooks.get(actor, name),
    trustHook: (name, hash) => hooks.trust(actor, name, hash),
    untrustHook: (name) => hooks.untrust(actor, name),
    startTurn: (ref, input) => turns.start(actor, ref, { input }),
    configureSession: (ref, changes) => sessions.configure(actor, ref, changes),
    say: async (ref, mode, input) => (await turns[mode](actor, ref, { input })) as SaidInput,
    cancelTurn: (ref, reason) => turns.cancel(actor, ref, reason),
    replay,
    follow,
    async verify(session, progress) {
      const id = session === undefined ? undefined : (await sessions.resolve(actor, session)).id;
      const found = await log.verify(id, progress);
      return { ok: found.broken.length === 0, ...found };
    },
    createToken: (input) => tokens.create(actor, input),
    listTokens: () => tokens.list(actor),
    revokeToken: (id) => tokens.revoke(actor, id),
    createLink() {
      throw new Failure("no_server", "Only a running server can sign a browser in, and none was found.");
    },
    close: () => runtime.stop("The command ended before the turn did."),
  };
}
