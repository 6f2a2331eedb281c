import type { Isolation } from "../ports/processes.ts";

/** What a session's state says of the isolation that its commands get. */
export function sandboxState({ resolved_backend, isolation }: Isolation): {
  readonly sandbox_mode: string;
  readonly sandbox_isolation: string;
} {
  return { sandbox_mode: resolved_backend, sandbox_isolation: isolation };
}
