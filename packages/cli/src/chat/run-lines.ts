import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createAnswer } from "../answer.ts";
import type { Backend } from "../backend.ts";
import type { Context } from "../command.ts";
import { connectionNotes } from "../connection-notes.ts";
import { Failure } from "../failure.ts";
import type { Settings } from "./conversation.ts";

export interface LinesOptions {
  readonly context: Context;
  readonly backend: Backend;
  readonly session: string | undefined;
  readonly settings: Settings;
  readonly stdin: Readable;
}

/** A turn waits for a person, and there is none here. */
const EXIT_WAITS = 3;

/** Each line is a turn, and the answers are plain text: for pipes, and for terminals that cannot move their cursor. */
export async function runLines(options: LinesOptions): Promise<number> {
  const { context, backend, settings, stdin } = options;
  const { out, signal } = context;
  let session = options.session;
  if (session !== undefined && Object.keys(settings).length > 0)
    await backend.configureSession(session, settings);
  const lines = createInterface({ input: stdin, terminal: false });
  const stop = (): void => lines.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const text of lines) {
      if (text.trim() === "") continue;
      if (text.trim() === "/quit") break;
      session ??= (await backend.createSession(settings)).session_id;
      const code = await oneTurn(options, session, text);
      if (code !== 0) return code;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    if (session !== undefined) out.note(`${session} · go on: ${context.host.self} chat --session ${session}`);
  }
  if (session === undefined && !signal.aborted) throw new Failure("usage", "There was nothing to say.");
  return signal.aborted ? 130 : 0;
}

async function oneTurn({ context, backend }: LinesOptions, ref: string, text: string): Promise<number> {
  const { out, signal, host } = context;
  const { session_id, turn_id, seq } = await backend.startTurn(ref, text);
  const answer = createAnswer(out, turn_id);
  const leave = new AbortController();
  const cancel = (): void => {
    backend.cancelTurn(session_id, "cancelled at the terminal").catch(() => leave.abort());
  };
  signal.addEventListener("abort", cancel, { once: true });
  const query = { session: session_id, after: seq - 1, signal: leave.signal, onState: connectionNotes(out) };
  for await (const { frame } of backend.follow(query)) {
    if (out.json) await out.value(frame);
    else await answer.show(frame);
    if (answer.note(frame)) break;
  }
  signal.removeEventListener("abort", cancel);
  if (!out.json) await answer.finish();
  const { status, failure } = answer.result();
  if (status === "completed") return 0;
  if (signal.aborted) return 130;
  if (status === "parked") {
    const self = host.self;
    out.note(
      `It waits for a decision, which cannot be asked here. See it: ${self} approvals · decide: ${self} approve ID, or ${self} deny ID`,
    );
    return EXIT_WAITS;
  }
  out.error(new Failure("turn_failed", failure?.error ?? `The turn was ${status}.`));
  return 1;
}
