import type { Command } from "commander";
import type { Verification } from "../backend.ts";
import {
  action,
  type CommonOptions,
  connectOptions,
  type Context,
  newCommand,
  type Setup,
  withBackend,
} from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import type { Output } from "../output.ts";

const SHOW_MS = 200;

export function verifyCommand(setup: Setup): Command {
  const command = newCommand("verify", "Check that the log is what was written.", [
    "verify",
    "verify ses_…",
    "verify --json",
  ]);
  return connectOptions(command)
    .argument("[session]", "one session's id or alias; without it all")
    .action(action(setup, verify));
}

async function verify(
  context: Context,
  session: string | undefined,
  options: ConnectOptions & CommonOptions,
): Promise<number> {
  const { out } = context;
  const found = await withBackend(context, options, {}, async (backend) => {
    const progress = showProgress(out);
    try {
      return await backend.verify(session, progress.checked);
    } finally {
      progress.end();
    }
  });
  if (out.json) await out.value(found);
  else await out.line(found.ok ? healthy(found) : found.broken.map(faultLine).join("\n"));
  if (found.ok) return 0;
  out.error(firstFault(found));
  return 1;
}

/** A server does not say how far it is, so the time is shown as well. */
function showProgress(out: Output): { checked(events: number): void; end(): void } {
  const start = performance.now();
  let events = 0;
  const timer = setInterval(() => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    out.progress(
      `checking … ${seconds} s${events === 0 ? "" : `, ${events.toLocaleString("en")} events so far`}`,
    );
  }, SHOW_MS);
  return {
    checked: (count) => void (events = count),
    end() {
      clearInterval(timer);
      out.progress(null);
    },
  };
}

function healthy({ streams, events }: Verification): string {
  return `ok: ${events.toLocaleString("en")} events in ${streams.toLocaleString("en")} ${streams === 1 ? "stream" : "streams"} are what was written.`;
}

function faultLine({ stream, seq, id, reason }: Verification["broken"][number]): string {
  return `${stream}  event ${seq}${id === null ? "" : ` (${id})`}: ${reason}`;
}

function firstFault({ broken }: Verification): object {
  const [first] = broken;
  return {
    code: "chain_broken",
    message:
      first === undefined
        ? "The log is not what was written."
        : `The first bad event is ${first.seq} of ${first.stream}: ${first.reason}.`,
    hint: "Keep a copy of the store as it is, restore from a backup, and do not write on.",
  };
}
