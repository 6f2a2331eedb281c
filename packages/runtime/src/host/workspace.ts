import { join, resolve } from "node:path";
import { real } from "./paths.ts";

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
