/** What can go wrong here and nowhere else. Codes of the runtime come through as they are. */
const FAILURES = {
  usage: "See `fairlead --help`.",
  no_store:
    "Start a server with `fairlead serve`, or have something to read with `fairlead run`. Another directory: --data.",
  no_server: "Start one with `fairlead serve`. One elsewhere: --url and --token.",
  port_in_use: "Take another with --port, or stop what uses it.",
  cannot_listen: "See what the message says. `fairlead doctor` looks at this machine.",
  data_unusable: "Choose another directory with --data. `fairlead doctor` looks at this one.",
  store_unreadable:
    "`fairlead doctor` looks at it. Keep a copy of the directory, then restore it from a backup.",
  config: "`fairlead doctor` looks at this machine.",
  turn_failed: "`fairlead tail SESSION` shows what happened.",
  interrupted: "What was recorded stays.",
} as const;

export type FailureCode = keyof typeof FAILURES;

/** An outcome that a person should read about, and no bug. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: string;
  readonly hint: string;
  /** 1, or 2 for a command that was not understood. */
  readonly exitCode: number;

  constructor(
    code: FailureCode,
    message: string,
    options: { hint?: string; exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? FAILURES[code];
    this.exitCode = options.exitCode ?? (code === "usage" ? 2 : 1);
  }
}

export interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly request_id?: string;
  readonly details?: unknown;
}

interface Known {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly hint?: unknown;
  readonly details?: unknown;
  readonly requestId?: unknown;
}

/** What a person or a script is told of any error. One without a hint is a bug of ours, and says so. */
export function tell(error: unknown): Told {
  const { code, message, hint, details, requestId } = (error ?? {}) as Known;
  if (typeof hint !== "string") {
    const what = error instanceof Error ? error.message : String(error);
    return {
      code: "internal",
      message: what,
      hint: "This is a bug. FAIRLEAD_DEBUG=1 shows where it happened.",
    };
  }
  return {
    code: typeof code === "string" ? code : "config",
    message: String(message),
    hint,
    ...(typeof requestId === "string" ? { request_id: requestId } : {}),
    ...(details === undefined ? {} : { details }),
  };
}
