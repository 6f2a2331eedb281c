import { actionOf as spokenAction } from "@fairlead/ahp";
import type { AnyDecision } from "../../ports/supervisor.ts";
import { takeAction } from "../policy/action/reading.ts";
import type { Amounts, PolicyInput } from "../policy/input.ts";

/** What no rule file can allow. */
export interface Objection {
  /** In the place of a rule's id. */
  readonly id: string;
  readonly decision: AnyDecision;
  readonly reason: string;
  readonly tool_name?: string;
}

/** Looks at every question beside the rules, whichever are in force. Must not throw. */
export type Guard = (input: PolicyInput) => Objection | undefined;

const WORDS: Record<keyof Amounts, string> = {
  tokens: "tokens",
  cost_usd: "cost",
  actions: "actions",
  duration_ms: "time",
};

/** A limit that is reached blocks actions, and prompts too unless it is one of actions. */
export const budgetSpent: Guard = ({ event, budget: { limits, used } }) => {
  const type = event.event_type;
  if (type !== "pre_action" && type !== "pre_prompt") return undefined;
  const spent = (Object.keys(WORDS) as (keyof Amounts)[]).filter((name) => {
    const limit = limits[name];
    return limit !== undefined && used[name] >= limit && !(name === "actions" && type === "pre_prompt");
  });
  if (spent.length === 0) return undefined;
  const reason = `The session's budget is spent: ${spent.map((name) => WORDS[name]).join(", ")}.`;
  return { id: "builtin:budget-spent", decision: { decision: "block", reason }, reason };
};

export interface OwnControls {
  /** Absolute: rule directories, configuration, data. */
  readonly paths: readonly string[];
  /** The path from there on, absolute and with links followed as far as it exists. Must not throw. */
  readonly real: (path: string) => string;
}

/** Links are followed for so many paths of one action; who names more asks a person. */
const MOST_PATHS = 500;

/** An agent that can change its rules has none: whatever touches them is a person's to decide. */
export function ownControls({ paths, real }: OwnControls): Guard {
  const controls = [...new Set(paths.flatMap((path) => [path, real(path)]))];
  const names = [...new Set(controls.map((path) => path.slice(path.lastIndexOf("/") + 1)))];
  const lies = (path: string): boolean => controls.some((one) => liesIn(path, one));
  return ({ event, workspace }) => {
    if (event.event_type !== "pre_action") return undefined;
    const action = takeAction(event, workspace);
    const touched =
      action.paths.length > MOST_PATHS ||
      action.paths.some((path) => lies(path) || lies(real(path))) ||
      // Programs in programs: what they name is not told apart, but it is written there.
      controls.some((path) => action.text.includes(path)) ||
      names.some((name) => speaksOf(action.text, name)) ||
      (!action.readable && mentions(event.payload, names));
    if (!touched) return undefined;
    const reason = "It touches the rules, the configuration or the data that it is supervised with.";
    const { toolName } = spokenAction(event.payload);
    return {
      id: "builtin:own-controls",
      decision: { decision: "escalate", reason, escalation_target: "operator" },
      reason,
      ...(toolName === undefined ? {} : { tool_name: toolName }),
    };
  };
}

/** `*`, `?` and `[…]` in a path match as in a shell; one that is nothing but `*` at the end means the directory. */
function liesIn(path: string, outer: string): boolean {
  if (path === outer || path.startsWith(`${outer}/`)) return true;
  if (!/[*?[{]/.test(path)) return false;
  const [parts, wanted] = [path.split("/"), outer.split("/")];
  if (
    parts.length < wanted.length ||
    (/^\*+$/.test(parts[wanted.length - 1] ?? "") && parts.length === wanted.length)
  )
    return false;
  return wanted.every((name, i) => matches(parts[i] ?? "", name));
}

/** Generous: a set or an alternative may stand for anything. Compared without backtracking, letter by letter from both ends. */
function matches(pattern: string, name: string): boolean {
  const start = pattern.search(/[*?[{]/);
  if (start === -1) return pattern === name;
  const end = pattern.length - Math.max(...["*", "?", "]", "}"].map((mark) => pattern.lastIndexOf(mark))) - 1;
  return name.startsWith(pattern.slice(0, start)) && name.endsWith(pattern.slice(pattern.length - end));
}

/** A name with a dot is nobody else's; any other must be written as a directory here. */
function speaksOf(text: string, name: string): boolean {
  if (name.includes(".")) return text.includes(name);
  for (let at = text.indexOf(`${name}/`); at !== -1; at = text.indexOf(`${name}/`, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    if (!/[\w/.-]$/.test(before) || /(^|[^.\w/-])\.\/$/.test(before)) return true;
  }
  return false;
}

/** What nests too deeply to be written down may mention anything. */
function mentions(value: unknown, names: readonly string[]): boolean {
  try {
    const text = JSON.stringify(value) ?? "";
    return names.some((name) => text.includes(name));
  } catch {
    return true;
  }
}
