import type { NewEvent } from "@fairlead/contract";
import type { Processes, Ran, Sandbox } from "../ports/processes.ts";
import type { Tool, ToolContext } from "../ports/tool.ts";
import { ToolFailure } from "../ports/tool-failure.ts";
import { builtin } from "./builtin.ts";
import { OUTPUT_KEPT } from "./limits.ts";

export interface ShellDeps {
  readonly processes: Processes;
  readonly sandbox: Sandbox;
  /** What runs a command line, such as `sh -c`. */
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

const DEFAULT_MS = 120_000;
const LONGEST_MS = 600_000;
const GRACE_MS = 2_000;
/** The tool keeps its own time and tells what was printed until then; the gateway's is the backstop. */
const BACKSTOP_MS = LONGEST_MS + 15_000;

const ABOUT =
  "Runs a command line in the workspace and returns exit code and output. It has no input and no terminal. Whatever it leaves running in the background is ended when it returns. Use the file tools to read and change files.";

export function shell({ processes, sandbox, argv, env }: ShellDeps): Tool {
  const noticesOf = oncePerTurn(sandbox);
  return builtin({
    name: "shell",
    description: sandbox.about === undefined ? ABOUT : `${ABOUT} ${sandbox.about}`,
    properties: {
      command: { type: "string", minLength: 1, maxLength: 32_000, description: "The command line." },
      timeout_ms: {
        type: "integer",
        minimum: 1,
        maximum: LONGEST_MS,
        description: `After how many milliseconds it is ended. Default ${DEFAULT_MS}.`,
      },
    },
    required: ["command"],
    access: "write",
    kind: "shell",
    effect: "once",
    timeoutMs: BACKSTOP_MS,
    checks: [({ command }) => (String(command).trim() === "" ? "command is empty." : undefined)],
    async run(args, context) {
      const { workspace, signal } = context;
      const events = noticesOf(context);
      if (sandbox.refuses !== undefined)
        return { result: { exit_code: null }, text: sandbox.refuses, failed: true, events };
      const { command, timeout_ms = DEFAULT_MS } = args as unknown as Arguments;
      const late = AbortSignal.timeout(timeout_ms);
      const wrapped = sandbox.wrap(
        { argv: [...argv, command], cwd: workspace, env: { ...env, PWD: workspace } },
        workspace,
      );
      const ran = await processes.run(wrapped, {
        signal: AbortSignal.any([signal, late]),
        graceMs: GRACE_MS,
        keep: OUTPUT_KEPT,
      });
      const { code, children } = ran;
      const printed = told(ran);
      if (ran.stopped && signal.aborted)
        throw new ToolFailure(`The command was stopped. ${printed}`, { kind: "cancelled", children, events });
      if (ran.stopped)
        throw new ToolFailure(`The command was ended after ${timeout_ms} ms. ${printed}`, {
          kind: "timeout",
          children,
          events,
        });
      return { result: result(ran), text: `${ending(ran)} ${printed}`, failed: code !== 0, children, events };
    },
  });
}

/** Turns that are remembered. One that is forgotten is told again. */
const TOLD = 1_000;

/** What the first command of a turn has recorded: what commands run in. */
function oncePerTurn({ isolation }: Sandbox): (context: ToolContext) => readonly NewEvent[] {
  const told = new Set<string>();
  return ({ session_id, turn_id }) => {
    const key = `${session_id} ${turn_id}`;
    if (told.has(key)) return [];
    if (told.size >= TOLD) told.clear();
    told.add(key);
    return [{ type: "runtime.sandbox.notice", data: { ...isolation } }];
  };
}

interface Arguments {
  readonly command: string;
  readonly timeout_ms?: number;
}

function result({ code, signal, stdout, stderr }: Ran): Record<string, unknown> {
  return {
    exit_code: code,
    ...(signal === null ? {} : { signal }),
    stdout: stdout.text,
    stderr: stderr.text,
    ...(stdout.dropped + stderr.dropped > 0 ? { truncated: true } : {}),
  };
}

function ending({ code, signal }: Ran): string {
  return code === null ? `Ended by ${signal}.` : `Exit code ${code}.`;
}

function told({ stdout, stderr }: Ran): string {
  const parts = [
    stdout.text === "" ? "" : stdout.text,
    stderr.text === "" ? "" : `stderr:\n${stderr.text}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "No output." : `Output:\n${parts.join("\n")}`;
}
