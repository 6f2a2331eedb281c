import type { Isolation, Sandbox } from "../ports/processes.ts";

/** None: a command runs with all that this user may do. */
export function plainSandbox(said: Pick<Isolation, "requested_backend" | "reason">): Sandbox {
  return {
    name: "none",
    isolation: { ...said, resolved_backend: "none", isolation: "none", details: { network: "allow" } },
    wrap: (command) => command,
  };
}

/** Nothing runs: the isolation that was asked for cannot be had. */
export function closedSandbox(requested_backend: string, reason: string): Sandbox {
  const refuses = `The command was not run: ${reason}`;
  return {
    name: "unavailable",
    isolation: { requested_backend, resolved_backend: "unavailable", isolation: "not_run", reason },
    refuses,
    wrap() {
      throw new Error(refuses);
    },
  };
}
