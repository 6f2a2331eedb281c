import type { HookStatus } from "@fairlead/contract";
import type { HookDefinition, HookRan, HookSaid } from "../../ports/hook.ts";
import { isRecord } from "../is-record.ts";

/** How a hook ended. `reason` says why it did not simply go well. */
export interface HookVerdict {
  readonly status: HookStatus;
  readonly reason?: string;
  /** What a model is told instead. */
  readonly told?: string;
}

const REASON_CHARS = 2_000;
const STDERR_CHARS = 500;

/** What came of a run. Anything that is not clearly a yes or a no is a failure. */
export function verdictOf(definition: HookDefinition, ran: HookRan): HookVerdict {
  switch (ran.kind) {
    case "stopped":
      return { status: "cancelled", reason: "The turn was stopped while it ran." };
    case "not_started":
      return failed(`It could not be started: ${ran.problem}`);
    case "timed_out":
      return {
        status: "timed_out",
        reason: clipped(
          `It took longer than ${definition.timeout_ms} ms and was ended.${saying(ran.stderr)}`,
        ),
      };
    case "exited": {
      const { code, signal, stdout, stderr } = ran;
      if (code !== 0)
        return failed(
          `${code === null ? `It was ended by ${signal}` : `It ended with exit code ${code}`}.${saying(stderr)}`,
        );
      return answered(definition, stdout);
    }
  }
}

function answered({ blocking, module }: HookDefinition, { text, whole }: HookSaid): HookVerdict {
  if (!whole) return failed("It said more than is read.");
  const said = text.trim();
  // A module's answer is written for it, so that no words mean that it never answered.
  if (said === "") return module === undefined ? { status: "completed" } : failed("It gave no answer.");
  const answer = parsed(said);
  if (!isRecord(answer)) return failed(`It said something that is no answer: ${said.slice(0, 200)}`);
  const { decision, reason } = answer;
  const why = typeof reason === "string" && reason.trim() !== "" ? reason.trim() : undefined;
  if (decision === undefined || decision === "continue") return { status: "completed" };
  if (decision !== "block")
    return failed(
      `It decided ${JSON.stringify(decision)?.slice(0, 100)}, and can decide \`continue\` or \`block\`.`,
    );
  if (blocking) return { status: "blocked", reason: clipped(why ?? "It gave no reason.") };
  return {
    status: "completed",
    reason: clipped(`It wanted to block, and is configured not to.${why === undefined ? "" : ` ${why}`}`),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(reason: string): HookVerdict {
  return { status: "failed", reason: clipped(reason) };
}

/** The last of it: that is where programs say what went wrong. */
function saying({ text }: HookSaid): string {
  const said = text.trim();
  return said === "" ? "" : ` It said: ${said.slice(-STDERR_CHARS)}`;
}

function clipped(text: string): string {
  return text.length > REASON_CHARS ? `${text.slice(0, REASON_CHARS - 1)}…` : text;
}

/** Whether what it was asked about does not go on. Only a clear yes lets it. */
export function blocks({ blocking }: HookDefinition, { status }: HookVerdict): boolean {
  return blocking && status !== "completed";
}
