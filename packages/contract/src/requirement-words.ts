import type { Requirement } from "./events/evidence.ts";

/** What must have been seen to hold, in words; as somebody put it, where they did. */
export function requirementInWords(requirement: Requirement): string {
  if (requirement.subject !== undefined) return requirement.subject;
  switch (requirement.kind) {
    case "command":
      return `The command \`${requirement.command}\` succeeds`;
    case "file":
      return `The file ${requirement.path} is there`;
    case "tool":
      return `The tool ${requirement.tool} succeeds`;
    case "rule":
      return requirement.rule === "tasks_completed" ? "All tasks are done" : "No tool is left failing";
  }
}
