import type { AhpEvent } from "@fairlead/ahp";
import { isRecord } from "../../is-record.ts";
import type { Meter } from "../meter.ts";
import { MOST, newMeter } from "../meter.ts";
import type { ShellCommand } from "../shell/commands.ts";
import { readShell } from "../shell/commands.ts";
import { affordable, commandPaths } from "./command-paths.ts";
import type { Workspace } from "./places.ts";
import { isOutside, resolvePath, workspaceOf } from "./places.ts";
import { addresses } from "./addresses.ts";
import { saidBy } from "./said.ts";

export interface ActionCommand extends ShellCommand {
  readonly paths: readonly string[];
  readonly outside: readonly string[];
}

/** An action in words that rules can use, however its payload spells it. */
export interface Action {
  /** Empty when the payload names none. */
  readonly tool: string;
  /** The command lines as they were given, one below the other. */
  readonly text: string;
  /** False when what it would run cannot be told for certain. */
  readonly readable: boolean;
  readonly commands: readonly ActionCommand[];
  /** Files that it names, resolved; also texts that name one only if the tool takes them for a name. */
  readonly paths: readonly string[];
  /** Those of them that lie outside the workspace. */
  readonly outside: readonly string[];
  readonly urls: readonly string[];
  /** Absolute; `.` when nobody said. */
  readonly workspace: string;
}

const LOOKS = /read|view|list|search|find|grep|glob|get|open|stat|tree|show|cat|ls/i;
const CHANGES =
  /write|edit|create|delete|remove|move|rename|patch|append|save|copy|replace|upload|exec|run|shell/i;

/** Never throws: what cannot be read makes the action not readable. */
export function actionOf(
  event: AhpEvent,
  given: string | undefined,
  believed = false,
  meter: Meter = newMeter(),
): Action {
  const workspace = workspaceOf(given, believed ? claims(event) : []);
  if (event.event_type !== "pre_action" && event.event_type !== "post_action") return nothing(workspace);
  const said = saidBy(event.payload, meter);
  const { root, home } = workspace;
  const start = said.cwd === undefined ? root : resolvePath(said.cwd, root, home);
  const read = said.texts.map((text) => readShell(text, meter));
  const commands = read.flatMap((reading) => located(reading.commands, start, workspace, meter));
  const looks = LOOKS.test(said.tool) && !CHANGES.test(said.tool);
  const resolved = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => affordable(meter, path, start, workspace));
  const named = resolved(said.paths);
  const maybe = resolved(said.maybe);
  const outside = named.filter((path) => isOutside(path, workspace, looks));
  return {
    tool: said.tool,
    text: said.texts.join("\n").slice(0, MOST.text),
    readable:
      (said.complete || event.event_type !== "pre_action") &&
      !meter.exceeded &&
      read.every(({ readable }) => readable),
    commands,
    paths: [...new Set([...named, ...maybe, ...commands.flatMap(({ paths }) => paths)])],
    outside: [...new Set([...outside, ...commands.flatMap((command) => command.outside)])],
    urls: addresses(said.urls, commands),
    workspace: workspace.root,
  };
}

/** Each command with its files, as they are from where the commands before it have gone. */
function located(
  commands: readonly ShellCommand[],
  start: string,
  workspace: Workspace,
  meter: Meter,
): ActionCommand[] {
  let cwd = start;
  return commands.map((command) => {
    const { paths, outside, cwd: next } = commandPaths(command, cwd, workspace, meter);
    cwd = next;
    return { ...command, paths, outside };
  });
}

/** What the agent itself says its workspace is. */
function claims({ metadata, payload }: AhpEvent): unknown[] {
  return [metadata?.["workspace"], isRecord(payload) ? payload["workspace"] : undefined];
}

function nothing({ root }: Workspace): Action {
  return {
    tool: "",
    text: "",
    readable: true,
    commands: [],
    paths: [],
    outside: [],
    urls: [],
    workspace: root,
  };
}
