import type { Processes, Ran, Sandbox } from "../ports/processes.ts";
import type { Tool } from "../ports/tool.ts";
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

export function shell({ processes, sandbox, argv, env }: ShellDeps): Tool {
  return builtin({
    name: "shell",
    description:
      "Runs a command line in the workspace and returns exit code and output. It has no input and no terminal. Whatever it leaves running in the background is ended when it returns. Use the file tools to read and change files.",
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
    async run(args, { workspace, signal }) {
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
        throw new ToolFailure(`The command was stopped. ${printed}`, { kind: "cancelled", children });
      if (ran.stopped)
        throw new ToolFailure(`The command was ended after ${timeout_ms} ms. ${printed}`, {
          kind: "timeout",
          children,
        });
      return { result: result(ran), text: `${ending(ran)} ${printed}`, failed: code !== 0, children };
    },
  });
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
