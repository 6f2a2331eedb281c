import type { ConnectionState } from "@fairlead/client";
import type { ModelRow, QuestionRow, RouteBody, SessionRow } from "@fairlead/contract";
import type { Backend } from "../backend.ts";
import { withContextLimit } from "./context-limit.ts";
import type { View } from "./model.ts";
import { EMPTY_VIEW, evolve, forget, withQuestion } from "./view.ts";

export type Settings = RouteBody<"createChatSession">;

export interface Conversation {
  readonly session: string | null;
  readonly view: View;
  readonly connection: string | undefined;
  /** The oldest that waits for a decision, once all of it is known. */
  readonly question: QuestionRow | undefined;
  /** Goes on in this session. Resolves when all that has happened in it is folded. */
  open(ref: string): Promise<SessionRow>;
  /** A new one, made with the first thing that is said. */
  fresh(settings: Settings): void;
  /** To the open turn where there is one, else as a turn. */
  send(text: string): Promise<void>;
  queue(text: string): Promise<void>;
  /** False: nothing was under way. */
  cancel(): Promise<boolean>;
  configure(changes: RouteBody<"configureChatSession">): Promise<void>;
  forget(items: number): void;
  close(): void;
}

interface Options {
  readonly backend: Backend;
  readonly settings: Settings;
  readonly now: () => number;
  readonly changed: () => void;
  /** What ends the following: the session is gone, or the credential. */
  readonly failed: (error: unknown) => void;
}

const CANCEL_REASON = "cancelled at the terminal";

/** One session at a time: what happens in it becomes the view, and what is said goes to it. */
export function createConversation({ backend, settings, now, changed, failed }: Options): Conversation {
  let session: string | null = null;
  let wanted = settings;
  let view = chosenView(wanted);
  let connection: string | undefined;
  let following = new AbortController();
  let models: readonly ModelRow[] = [];
  const questions = new Map<string, QuestionRow>();

  function onState(state: ConnectionState): void {
    const waits = state.state === "waiting";
    connection = waits ? "reconnecting …" : undefined;
    // What could not be fetched while the server was away.
    if (!waits) void loadQuestions(following.signal);
    if (!waits && models.length === 0) void loadModels();
    changed();
  }

  /** Only for a percentage: a conversation goes on without. */
  async function loadModels(): Promise<void> {
    models = await backend.listModels().catch(() => models);
    changed();
  }

  async function follow(ref: string, after: number, { signal }: AbortController): Promise<void> {
    void loadModels();
    try {
      for await (const { frame } of backend.follow({ session: ref, after, signal, onState })) {
        if (signal.aborted) return;
        view = evolve(view, frame, now());
        // A sub-agent asks with its own event.
        if (frame.type === "approval_required" || frame.type === "subagent_event") void loadQuestions(signal);
        changed();
      }
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  /** The frame may hold only a part of what is shown: a large one is kept apart. */
  async function loadQuestions(signal: AbortSignal): Promise<void> {
    for (const item of view.items) {
      if (item.kind !== "question" || item.row !== undefined) continue;
      try {
        const row = await backend.getQuestion(item.requestId);
        if (signal.aborted) return;
        questions.set(row.request_id, row);
        view = withQuestion(view, row);
        changed();
      } catch (error) {
        if (!signal.aborted) failed(error);
      }
    }
  }

  function leave(): void {
    following.abort();
    following = new AbortController();
    questions.clear();
    view = EMPTY_VIEW;
    session = null;
    connection = undefined;
  }

  /** Nothing changes before all of it is known: half of a past is not drawn. */
  async function open(ref: string): Promise<SessionRow> {
    const row = await backend.getSession(ref);
    let past = EMPTY_VIEW;
    for await (const { frame } of backend.replay({ session: row.session_id, history: "full" }))
      past = evolve(past, frame, now());
    const asked = await Promise.all(past.pending.map((id) => backend.getQuestion(id)));
    leave();
    for (const one of asked) {
      questions.set(one.request_id, one);
      past = withQuestion(past, one);
    }
    view = past;
    session = row.session_id;
    void follow(session, view.seq, following);
    return row;
  }

  async function made(): Promise<string> {
    if (session !== null) return session;
    const { session_id } = await backend.createSession(wanted);
    session = session_id;
    void follow(session_id, 0, following);
    return session_id;
  }

  return {
    get session() {
      return session;
    },
    get view() {
      return withContextLimit(view, models);
    },
    get connection() {
      return connection;
    },
    get question() {
      return questions.get(view.pending[0] ?? "");
    },
    open,
    fresh(next) {
      leave();
      wanted = next;
      view = chosenView(wanted);
    },
    async send(text) {
      const ref = await made();
      const steer = (): Promise<unknown> => backend.say(ref, "steer", text);
      const start = (): Promise<unknown> => backend.startTurn(ref, text);
      const [first, second, code] =
        view.turn === null
          ? ([start, steer, "turn_active"] as const)
          : ([steer, start, "turn_not_found"] as const);
      await first().catch((error: { code?: string }) => {
        // The turn began or ended in this moment.
        if (error.code !== code) throw error;
        return second();
      });
    },
    async queue(text) {
      await backend.say(await made(), "queue", text);
    },
    async cancel() {
      if (session === null || view.turn === null) return false;
      return backend.cancelTurn(session, CANCEL_REASON).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code === "turn_not_found") return false;
          throw error;
        },
      );
    },
    async configure(changes) {
      if (session !== null) return void (await backend.configureSession(session, changes));
      wanted = { ...wanted, ...changes };
      view = chosenView(wanted);
    },
    forget(items) {
      view = forget(view, items);
    },
    close: () => following.abort(),
  };
}

/** Before there is a session: what was chosen for it. */
function chosenView({ title, model, permission_mode, approval_mode, think_level }: Settings): View {
  return {
    ...EMPTY_VIEW,
    title: title ?? null,
    model: model ?? null,
    permissionMode: permission_mode ?? null,
    approvalMode: approval_mode ?? null,
    thinkLevel: think_level ?? null,
  };
}
