import type { ApprovalMode, PermissionMode } from "@fairlead/contract";
import type { EscalationOf, Permit, PermitOf } from "./types.ts";

/**
 * What a tool can do, as far as modes tell tools apart. `tasks` changes only the session's own list. `network` reads
 * from elsewhere: it changes nothing, but its address can carry away what was read here.
 */
export type ToolClass = "read" | "tasks" | "network" | "file_edit" | "write";

/** `free`: does nothing outside. `allowed`: the mode lets it. `open`: the mode leaves it to a person. */
type Standing = "free" | "allowed" | "open" | "barred";

const STANDING: Record<PermissionMode, Record<ToolClass, Standing>> = {
  plan: { read: "free", tasks: "free", network: "open", file_edit: "barred", write: "barred" },
  normal: { read: "free", tasks: "free", network: "open", file_edit: "open", write: "open" },
  accept_edits: { read: "free", tasks: "free", network: "open", file_edit: "allowed", write: "open" },
  full_access: { read: "free", tasks: "free", network: "allowed", file_edit: "allowed", write: "allowed" },
};

/** `never` runs what is allowed and denies what is open: nobody is there to be asked. */
const OUTCOME: Record<ApprovalMode, Record<Standing, Permit["kind"]>> = {
  always: { free: "run", allowed: "ask", open: "ask", barred: "deny" },
  on_request: { free: "run", allowed: "run", open: "ask", barred: "deny" },
  on_escalation: { free: "run", allowed: "run", open: "run", barred: "deny" },
  never: { free: "run", allowed: "run", open: "deny", barred: "deny" },
};

const ESCALATED: Record<ApprovalMode, "ask" | "deny"> = {
  always: "ask",
  on_request: "ask",
  on_escalation: "ask",
  never: "deny",
};

const HEADLESS =
  "Nobody is asked in this run (approval_mode never), so what would need an approval is denied.";

export function classOf({ access, kind }: Parameters<PermitOf>[1]): ToolClass {
  if (kind === "tasks") return "tasks";
  if (access === "read") return kind === "network" ? "network" : "read";
  return kind === "file_edit" ? "file_edit" : "write";
}

export const permitOf: PermitOf = ({ permission_mode, approval_mode }, tool) => {
  const toolClass = classOf(tool);
  const standing = STANDING[permission_mode][toolClass];
  const { name } = tool.spec;
  switch (OUTCOME[approval_mode][standing]) {
    case "run":
      return { kind: "run" };
    case "ask":
      return { kind: "ask", reason: asking(standing, permission_mode, name, DOES[toolClass]) };
    case "deny":
      return {
        kind: "deny",
        reason:
          standing === "barred"
            ? `plan mode reads only: ${name} can change something. Say what you would do instead of doing it.`
            : `${name} needs an approval in ${permission_mode} mode. ${HEADLESS}`,
      };
  }
};

const CHANGES = "can change something";
const DOES: Record<ToolClass, string> = {
  read: CHANGES,
  tasks: CHANGES,
  network: "sends its address out of this machine",
  file_edit: CHANGES,
  write: CHANGES,
};

function asking(standing: Standing, mode: PermissionMode, name: string, does: string): string {
  return standing === "open"
    ? `${name} ${does}, and ${mode} mode leaves that to a person.`
    : `${name} ${does}, and approval_mode always asks about that.`;
}

export const escalationOf: EscalationOf = (mode, reason) =>
  ESCALATED[mode] === "ask" ? { kind: "ask", reason } : { kind: "deny", reason: `${reason} ${HEADLESS}` };
