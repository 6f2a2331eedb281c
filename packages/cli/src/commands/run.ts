import { addAbortSignal } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { createAnswer } from "../answer.ts";
import type { Backend } from "../backend.ts";
import {
  type CommonOptions,
  connectOptions,
  type Context,
  newCommand,
  patientAction,
  type Setup,
  withBackend,
} from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import { type SessionOptions, sessionOptions, settingsOf } from "../session-options.ts";
import { connectionNotes } from "../connection-notes.ts";
import { Failure } from "../failure.ts";
import { printable } from "../text.ts";

interface RunOptions extends ConnectOptions, CommonOptions, SessionOptions {
  readonly session?: string;
}

/** Neither done nor failed: who runs this in a script must be able to tell. */
const PARKED = 3;
const CANCEL_REASON = "cancelled at the terminal";

export function runCommand(setup: Setup): Command {
  const command = newCommand(
    "run",
    "Send a request and show the answer as it comes. Ends with 0 when it is done, 3 when it waits for somebody.",
    ['run "What can you do?"', 'run --session ses_… "And then?"', "git diff | fairlead run - --title review"],
  );
  return sessionOptions(connectOptions(command))
    .argument("<prompt...>", "what to ask; - reads it from standard input")
    .option("--session <id>", "go on in this session; without it a new one is made")
    .action(patientAction(setup, run));
}

async function run(context: Context, words: readonly string[], options: RunOptions): Promise<number> {
  const prompt = words.length === 1 && words[0] === "-" ? await readInput(context.signal) : words.join(" ");
  if (prompt.trim() === "") throw new Failure("usage", "There is nothing to ask.");
  const warn = (problem: string) => context.out.note(`Warning: ${printable(problem)}`);
  return withBackend(context, options, { creates: true, runs: true, warn }, (backend) =>
    ask(context, backend, prompt, options),
  );
}

/** All of standard input, or what a signal makes of waiting for it. */
async function readInput(signal: AbortSignal): Promise<string> {
  try {
    return await readAll(addAbortSignal(signal, process.stdin));
  } catch (cause) {
    throw new Failure("interrupted", "Nothing was asked.", { exitCode: 130, cause });
  }
}

async function ask(context: Context, backend: Backend, prompt: string, options: RunOptions): Promise<number> {
  const { out, signal } = context;
  const ref = await sessionFor(backend, options);
  const { session_id, turn_id, seq } = await backend.startTurn(ref, prompt);
  const leave = new AbortController();
  const release = cancelOn(signal, backend, session_id, () => leave.abort());
  const answer = createAnswer(out, turn_id);
  const follow = { session: session_id, after: seq - 1, signal: leave.signal, onState: connectionNotes(out) };
  for await (const { frame } of backend.follow(follow)) {
    if (out.json) await out.value(frame);
    else await answer.show(frame);
    if (answer.note(frame)) break;
  }
  await release();
  if (!out.json) await answer.finish();
  const { status, failure, tokens } = answer.result();
  out.note(footer(context, session_id, tokens));
  if (status === "parked") return parked(context, backend, session_id);
  if (status === "completed") return 0;
  const hint = `\`${context.host.self} tail ${session_id}\` shows what happened.`;
  if (status === null)
    throw new Failure("interrupted", "The end of the turn was not seen: it may still go on.", {
      hint,
      exitCode: 130,
    });
  if (signal.aborted && status === "cancelled") {
    out.note("Cancelled, on record.");
    return 130;
  }
  out.error(new Failure("turn_failed", failure?.error ?? `The turn was ${status}.`, { hint }));
  return signal.aborted ? 130 : 1;
}

/** The session to go on in, with what was chosen for it. */
async function sessionFor(backend: Backend, options: RunOptions): Promise<string> {
  const { session } = options;
  const said = settingsOf(options);
  if (session === undefined) return (await backend.createSession(said)).session_id;
  if (Object.keys(said).length > 0) await backend.configureSession(session, said);
  return session;
}

/** It goes on once somebody has decided: by itself where a process is there to do it. */
function parked({ host, out }: Context, { shared }: Backend, session: string): number {
  out.note(
    shared
      ? `It waits, and goes on by itself. What for: ${host.self} approvals · see it go on: ${host.self} tail ${session}`
      : `It waits. What for: ${host.self} approvals · No server is running, so once it is decided it goes on with one: ${host.self} serve`,
  );
  return PARKED;
}

/** Ctrl-C asks for the turn's end, which is then recorded and shown. Where nobody can be asked, it leaves. */
function cancelOn(
  signal: AbortSignal,
  backend: Backend,
  session: string,
  leave: () => void,
): () => Promise<void> {
  let cancelling: Promise<void> | undefined;
  const cancel = (): void => {
    cancelling = backend.cancelTurn(session, CANCEL_REASON).then(
      () => {},
      (error: { code?: string }) => {
        // It has ended by itself in the meantime, and that will be seen.
        if (error.code !== "turn_not_found") leave();
      },
    );
  };
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  return async () => {
    signal.removeEventListener("abort", cancel);
    await cancelling;
  };
}

function footer({ host }: Context, session: string, tokens: { input: number; output: number }): string {
  const cost = tokens.input + tokens.output === 0 ? "" : ` · ${tokens.input} tokens in, ${tokens.output} out`;
  return `${session}${cost} · go on: ${host.self} run --session ${session} "…"`;
}
