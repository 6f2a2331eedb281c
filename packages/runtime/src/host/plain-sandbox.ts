import type { Sandbox } from "../ports/processes.ts";

/** None: a command runs with all that this user may do. */
export const plainSandbox: Sandbox = { name: "none", wrap: (command) => command };
