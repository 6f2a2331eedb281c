import { isAbsolute, posix, relative, sep, win32 } from "node:path";
import type { Place } from "../../ports/places.ts";
import type { PathArgument } from "../../ports/tool.ts";
import { shown } from "./words.ts";

/** What is wrong with a path before anyone looks where it leads; undefined when nothing is. */
export function writtenWrong(path: unknown, workspace: string): string | undefined {
  if (typeof path !== "string") return "must be a path, as a string";
  if (path === "") return `is empty, but must be a path in the workspace, such as "."`;
  if (path.includes("\0")) return "has a character that no path has";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    return `must be a path in the workspace, but the address ${shown(path)} came`;
  if (isRooted(path)) {
    const inside =
      isAbsolute(path) && isInside(workspace, path) ? relative(workspace, path) || "." : undefined;
    const instead = inside === undefined ? "" : `: write ${shown(inside)}`;
    return `must be relative to the workspace, but ${shown(path)} came${instead}`;
  }
  return undefined;
}

/** What is wrong with where a path leads; undefined when nothing is. */
export function leadsWrong(
  path: string,
  place: Place | undefined,
  workspace: string,
  must: PathArgument["must"],
): string | undefined {
  if (place === undefined) return `leads nowhere that can be reached: ${shown(path)}`;
  if (!isInside(workspace, place.real))
    return `must stay in the workspace, but ${shown(path)} leads out of it`;
  if (must === undefined || must === "any") return undefined;
  if (place.kind === "nothing") return `must name something that exists, but there is no ${shown(path)}`;
  if (must === "be_file" && place.kind !== "file") return `must name a file, but ${shown(path)} is not one`;
  if (must === "be_directory" && place.kind !== "directory")
    return `must name a directory, but ${shown(path)} is not one`;
  return undefined;
}

/** Both absolute; the place itself is inside too. */
export function isInside(outer: string, path: string): boolean {
  const way = relative(outer, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Absolute on any system, or from someone's home. */
function isRooted(path: string): boolean {
  return posix.isAbsolute(path) || win32.isAbsolute(path) || path === "~" || path.startsWith("~/");
}
