import type { Risk } from "@fairlead/contract";
import type { Tool, ToolArguments, ToolKind, ToolPreview } from "../../ports/tool.ts";
import { hashJson } from "../canonical.ts";
import { readShell, type ShellCommand } from "../policy/shell/commands.ts";
import { pathsOf } from "./pattern.ts";
import { pathSegments } from "./path-pattern.ts";
import type { Asked } from "./types.ts";

/** What a person sees before they decide: all of it, because the decision is bound to it. */
export interface Shown {
  readonly tool: string;
  /** `builtin`, `mcp:SERVER` or `module:FILE`. */
  readonly from: string;
  readonly kind?: ToolKind;
  readonly effect: Tool["effect"];
  readonly arguments: ToolArguments;
  readonly reason: string;
  readonly diff?: string;
  /** Of a tool that can show what it would change: a yes is only for that. */
  readonly preview_hash?: string;
  /** What was mended in the call as the model wrote it. */
  readonly repairs?: readonly string[];
}

interface ShownCall {
  readonly arguments: ToolArguments;
  readonly repairs?: readonly { readonly error: string }[];
}

export function shownFor(
  { arguments: args, repairs = [] }: ShownCall,
  tool: Pick<Tool, "spec" | "kind" | "origin" | "effect" | "preview">,
  preview: ToolPreview,
  reason: string,
): Shown {
  const { spec, kind, origin, effect } = tool;
  return {
    tool: spec.name,
    from: origin,
    ...(kind === undefined ? {} : { kind }),
    effect,
    arguments: args,
    reason,
    ...(preview.diff === undefined ? {} : { diff: preview.diff }),
    ...(tool.preview === undefined ? {} : { preview_hash: previewHash(preview) }),
    ...(repairs.length === 0 ? {} : { repairs: repairs.map(({ error }) => error) }),
  };
}

export function previewHash(preview: ToolPreview): string {
  return hashJson(preview);
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const LOOKS = words(
  "ls cat head tail wc grep rg find pwd echo which stat file du df date whoami true diff sort uniq tree",
);
const GIT_LOOKS = words("status log diff show branch blame rev-parse remote describe ls-files");
const LEAVES = words(
  "curl wget ssh scp sftp rsync nc ncat ftp telnet docker kubectl gh aws gcloud az terraform",
);
const HARMS = words(
  "rm rmdir shred dd mkfs fdisk chmod chown kill killall pkill shutdown reboot truncate crontab systemctl",
);
const RULES = words("sudo doas su run0 pkexec mkfs dd shutdown reboot");
/** Files that run by themselves, say what runs, or hold secrets. */
const TELLING =
  /(^|\/)(\.git|\.ssh|\.github|\.husky|\.vscode|\.env[^/]*|\.npmrc|\.bashrc|\.profile|\.zshrc)(\/|$)|\.(pem|key)$/i;

/** How much a wrong yes could cost. A hint for the person: nothing is decided by it. */
export function riskOf(tool: Pick<Tool, "access" | "effect" | "origin">, asked: Asked): Risk {
  if (asked.kind === "shell") return commandRisk(asked.arguments["command"]);
  const paths = pathsOf(asked);
  if (paths?.some((path) => pathSegments(path) === undefined || TELLING.test(path)) === true) return "high";
  if (asked.kind === "tasks") return "low";
  // An address can carry away what was read here.
  if (tool.access === "read") return asked.kind === "network" ? "medium" : "low";
  if (asked.kind === "file_edit") return "medium";
  return tool.effect === "once" ? "high" : "medium";
}

const ORDER: readonly Risk[] = ["low", "medium", "high", "critical"];

function commandRisk(command: unknown): Risk {
  if (typeof command !== "string") return "high";
  const { commands, readable } = readShell(command);
  const each = commands.map(riskOfCommand);
  // What cannot be read may be anything.
  if (!readable || each.length === 0) each.push("high");
  return each.reduce((most, one) => (ORDER.indexOf(one) > ORDER.indexOf(most) ? one : most), "low" as Risk);
}

function riskOfCommand({ name, words: all, computed, redirects }: ShellCommand): Risk {
  if (computed) return "high";
  const rest = all.slice(1);
  const forced = name === "rm" && rest.some((word) => /^-[a-zA-Z]*[rRf]|^--(recursive|force)$/.test(word));
  if (forced && rest.some((word) => /^(\/|~|\$|\.\.?(\/|$)|\*)/.test(word))) return "critical";
  if (RULES.has(name)) return "critical";
  if (HARMS.has(name) || LEAVES.has(name)) return "high";
  if (name === "git") {
    if (rest.some((word) => /^(push|reset|clean|-f|--force.*|--hard)$/.test(word))) return "high";
    return GIT_LOOKS.has(rest[0] ?? "") && redirects.length === 0 ? "low" : "medium";
  }
  if (name === "find" && rest.some((word) => /^-(exec|execdir|ok|okdir|delete)$/.test(word))) return "high";
  return LOOKS.has(name) && redirects.every((target) => target === "/dev/null") ? "low" : "medium";
}
