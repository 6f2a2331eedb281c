import { join } from "node:path";
import { leadsWrong, writtenWrong } from "../../domain/guard/paths.ts";
import type { GuardFault, PathsPart } from "../../domain/guard/types.ts";
import { argumentAt, pointerTo } from "../../domain/guard/words.ts";
import type { Places } from "../../ports/places.ts";
import type { PathArgument, Tool, ToolArguments } from "../../ports/tool.ts";

const NONE: readonly GuardFault[] = [];

/**
 * Keeps the paths that a tool declares inside the workspace, links followed. What is behind a path can change until
 * the tool opens it: this keeps mistakes out, and a sandbox keeps attackers in.
 */
export function pathsPart(places: Places): PathsPart {
  return (tool, args, workspace) => {
    if (tool.paths === undefined || tool.paths.length === 0) return NONE;
    return pathFaults(tool.paths, args, workspace, places);
  };
}

async function pathFaults(
  paths: NonNullable<Tool["paths"]>,
  args: ToolArguments,
  workspace: string,
  places: Places,
): Promise<readonly GuardFault[]> {
  const faults: GuardFault[] = [];
  for (const { argument, must } of paths) {
    if (!Object.hasOwn(args, argument)) continue;
    const value = args[argument];
    const here = pointerTo("", argument);
    const all = Array.isArray(value)
      ? value.map((one, i) => [`${here}/${i}`, one] as const)
      : [[here, value] as const];
    for (const [at, path] of all) {
      const wrong = await wrongWith(path, must, workspace, places);
      if (wrong !== undefined) faults.push({ kind: "path", at, error: `${argumentAt(at)} ${wrong}.` });
    }
  }
  return faults;
}

async function wrongWith(
  path: unknown,
  must: PathArgument["must"],
  workspace: string,
  places: Places,
): Promise<string | undefined> {
  const written = writtenWrong(path, workspace);
  if (written !== undefined || typeof path !== "string") return written;
  const joined = join(workspace, path);
  const wrong = leadsWrong(path, await places.find(joined), workspace, must);
  if (wrong !== undefined || !path.includes("..")) return wrong;
  // Programs that take the path as it is go through `link/..` as the kernel does, to another place than `join` says.
  return leadsWrong(path, await places.find(`${workspace}/${path}`), workspace, must);
}
