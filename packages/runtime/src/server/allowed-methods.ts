import { ROUTES, type RouteDef } from "@fairlead/contract";
import { takesHead } from "./bind.ts";

interface Known {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

const KNOWN: readonly Known[] = (Object.values(ROUTES) as RouteDef[]).map((route) => ({
  pattern: new RegExp(`^${route.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  methods: takesHead(route) ? [route.method, "HEAD"] : [route.method],
}));

/** The methods an address takes; none when nothing is there. */
export function allowedMethods(path: string): readonly string[] {
  if (path === "/") return ["GET", "HEAD"];
  const methods = KNOWN.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
  return [...new Set(methods)];
}
