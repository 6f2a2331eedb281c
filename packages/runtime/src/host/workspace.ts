import { join, resolve } from "node:path";
import { workspaceOf } from "../domain/policy/action/places.ts";
import { real } from "./paths.ts";

/** Whether agents can be kept in this directory: not in the root, a home directory or one of the system's. */
export function isWorkspace(directory: string, home: string): boolean {
  const place = real(resolve(directory));
  return (
    place !== real(resolve(home)) && workspaceOf(place).root !== "." && workspaceOf(directory).root !== "."
  );
}

/** Follows links from a path as an action names it: absolute, from home, or from where the agents work. */
export function realFrom(base: string, home: string): (path: string) => string {
  return (path) => {
    const from = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
    try {
      return real(resolve(base, from));
    } catch {
      return resolve(base, from);
    }
  };
}
