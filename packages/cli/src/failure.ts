import type { ErrorCode } from "@fairlead/contract";

/** What can go wrong here and nowhere else. Codes of the runtime come through as they are. */
const FAILURES = {
  usage: "See `fairlead --help`.",
  no_store:
    "Start a server with `fairlead serve`, or have something to read with `fairlead run`. Another directory: --data.",
  no_server: "Start one with `fairlead serve`. One elsewhere: --url and --token.",
  port_in_use: "Take another with --port, or stop what uses it.",
  token_required: "Make one first: `fairlead token create --role operator --actor NAME`.",
  cannot_listen: "See what the message says. `fairlead doctor` looks at this machine.",
  data_unusable: "Choose another directory with --data. `fairlead doctor` looks at this one.",
  store_unreadable:
    "`fairlead doctor` looks at it. Keep a copy of the directory, then restore it from a backup.",
  config: "`fairlead doctor` looks at this machine.",
  not_trusted: "Look at it with `fairlead hooks show NAME`, then trust it with --hash.",
  turn_failed: "`fairlead tail SESSION` shows what happened.",
  interrupted: "What was recorded stays.",
  read_only: "Copy the directory to where you can write, and name the copy with --data.",
} as const;

/** Where the API's hint speaks of routes and headers, what does the same here. */
const COMMAND_HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthorized:
    "Give a token that is good with --token or FAIRLEAD_TOKEN. `fairlead token create` makes one, where the data is.",
  not_found: "Is that the address of a Fairlead server of this version?",
  invalid_cursor: "Take the number of the last event you saw, or leave --after out.",
  session_not_found: "`fairlead sessions` lists the sessions you may see.",
  session_ended: "Go on from a place in it: `fairlead sessions resume SESSION --cursor CURSOR`.",
  session_state: "`fairlead sessions show SESSION` says where it stands.",
  session_background: "Steer it with `fairlead steer`, or branch it: `fairlead sessions branch SESSION`.",
  session_not_background: "Stop a chat's turn with `fairlead cancel`; go on with `fairlead run --session`.",
  question_not_found: "`fairlead approvals --state all` lists the questions you may see.",
  question_decided: "`fairlead approvals --state all` shows the decision that stands.",
  grant_not_found: "`fairlead approvals patterns --state all` lists those you may see.",
  token_not_found: "`fairlead token list --all` lists the tokens.",
  hook_not_found: "`fairlead hooks` lists the hooks.",
  hook_changed:
    "Look at it again with `fairlead hooks show NAME`, and trust it by the hash that is shown there.",
  turn_not_found: "`fairlead tail SESSION` shows how it ended.",
  turn_active: "Wait until it has ended: `fairlead tail SESSION` shows it.",
  store_locked: "Stop that process, or speak to its server with --url and --token.",
  payload_too_large: "Send less, or start the server with a higher --max-body.",
};

/** Our commands as they are called here, where a sentence says `fairlead …`. */
export function inWordsOf(self: string, text: string): string {
  return text.replaceAll("`fairlead ", `\`${self} `);
}

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

interface Teller {
  /** How this program is called. */
  readonly self?: string;
  /** Where the command says what it takes. */
  readonly help?: string | undefined;
}

/** What a person or a script is told of any error. One without a hint is a bug of ours, and says so. */
export function tell(error: unknown, { self = "fairlead", help }: Teller = {}): Told {
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
    message: inWordsOf(self, String(message)),
    hint: inWordsOf(self, hintFor(String(code), hint, help)),
    ...(typeof requestId === "string" ? { request_id: requestId } : {}),
    ...(details === undefined ? {} : { details }),
  };
}

/** A command that was not understood is best told by its own help. */
function hintFor(code: string, hint: string, help: string | undefined): string {
  if (code === "bad_request" || hint === FAILURES.usage) return help ?? FAILURES.usage;
  return Object.hasOwn(COMMAND_HINTS, code) ? (COMMAND_HINTS[code as ErrorCode] ?? hint) : hint;
}
