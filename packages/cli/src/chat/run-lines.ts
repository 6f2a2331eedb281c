import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createAnswer } from "../answer.ts";
import type { Backend } from "../backend.ts";
import type { Context } from "../command.ts";
import { connectionNotes } from "../connection-notes.ts";
import { Failure } from "../failure.ts";
import { askByLine, type NextLine } from "./ask-by-line.ts";
import type { Settings } from "./conversation.ts";

export interface LinesOptions {
  readonly context: Context;
  readonly backend: Backend;
  readonly session: string | undefined;
  readonly settings: Settings;
  readonly stdin: Readable;
  /** A person types the lines, and can be asked. */
  readonly asks: boolean;
}

/** A turn waits for a person, and there is none here. */
const EXIT_WAITS = 3;

/** Each line is a turn, and the answers are plain text: for pipes, and for terminals that cannot move their cursor. */
export async function runLines(options: LinesOptions): Promise<number> {
  const { context, backend, settings, stdin, asks } = options;
  const { out, signal } = context;
  let session = options.session;
  if (session !== undefined && Object.keys(settings).length > 0)
    await backend.configureSession(session, settings);
  const lines = createInterface({ input: stdin, terminal: false });
  const stop = (): void => lines.close();
  signal.addEventListener("abort", stop, { once: true });
  const typed = lines[Symbol.asyncIterator]();
  const next: NextLine = async () => {
    const { done, value } = await typed.next();
    return done === true ? undefined : value;
  };
  try {
    // Who comes back to a turn that waits is asked first: until then nothing else can be said.
    if (asks && session !== undefined) await openTurn(options, session, next);
    for (;;) {
      if (asks) await out.text("> ");
      const text = await next();
      if (text === undefined || (asks && text.trim() === "/quit")) break;
      if (text.trim() === "") continue;
      session ??= (await backend.createSession(settings)).session_id;
      const code = await oneTurn(options, session, text, next);
      // A person sees what went wrong, and goes on; a script must not build on it.
      if (code !== 0 && (!asks || signal.aborted)) return code;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    lines.close();
    if (session !== undefined) out.note(`${session} · go on: ${context.host.self} chat --session ${session}`);
  }
  if (signal.aborted) return 130;
  if (session === undefined && !asks) throw new Failure("usage", "There was nothing to say.");
  return 0;
}

async function oneTurn(options: LinesOptions, ref: string, text: string, next: NextLine): Promise<number> {
  const { session_id, turn_id, seq } = await options.backend.startTurn(ref, text);
  return toItsEnd(options, { session_id, turn_id }, seq - 1, next);
}

async function openTurn(options: LinesOptions, ref: string, next: NextLine): Promise<void> {
  const { context, backend } = options;
  const { session_id, turn_id, head_seq } = await backend.getSession(ref);
  if (turn_id === null) return;
  if (!(await askByLine(backend, session_id, context.out, next))) return;
  await toItsEnd(options, { session_id, turn_id }, head_seq, next);
}

/** Shows a turn and asks what it waits for, until it has ended. The exit code says how. */
async function toItsEnd(
  options: LinesOptions,
  { session_id, turn_id }: { readonly session_id: string; readonly turn_id: string },
  from: number,
  next: NextLine,
): Promise<number> {
  const { context, backend, asks } = options;
  const { out, signal } = context;
  for (let after = from; ;) {
    const seen = await followed(options, session_id, turn_id, after);
    const { status, failure } = seen;
    if (status === "completed") return 0;
    if (signal.aborted) return 130;
    if (status !== "parked") {
      out.error(new Failure("turn_failed", failure?.error ?? `The turn was ${status}.`));
      return 1;
    }
    if (!asks || !(await askByLine(backend, session_id, out, next))) return waits(context);
    after = seen.after;
  }
}

function waits({ out, host }: Context): number {
  const { self } = host;
  out.note(
    `It waits for a decision, which cannot be asked here. See it: ${self} approvals · decide: ${self} approve ID, or ${self} deny ID`,
  );
  return EXIT_WAITS;
}

/** Shows the turn until it ends or waits. */
async function followed(
  { context, backend }: LinesOptions,
  session: string,
  turn: string,
  from: number,
): Promise<ReturnType<ReturnType<typeof createAnswer>["result"]> & { readonly after: number }> {
  const { out, signal } = context;
  const answer = createAnswer(out, turn);
  const leave = new AbortController();
  const cancel = (): void => {
    backend.cancelTurn(session, "cancelled at the terminal").catch(() => leave.abort());
  };
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  const query = { session, after: from, signal: leave.signal, onState: connectionNotes(out) };
  let after = from;
  for await (const { frame } of backend.follow(query)) {
    after = frame.seq;
    if (out.json) await out.value(frame);
    else await answer.show(frame);
    if (answer.note(frame)) break;
  }
  signal.removeEventListener("abort", cancel);
  if (!out.json) await answer.finish();
  return { ...answer.result(), after };
}
