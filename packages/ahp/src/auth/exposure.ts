import { isIPv4, isIPv6 } from "node:net";

import { AhpError } from "../protocol/errors.ts";

/** Refuses to serve the network without asking who is there. */
export function assertGuarded(host: string, isGuarded: boolean): void {
  if (isGuarded || isLoopback(host)) return;
  const message = `Listening on ${host} needs \`authenticate\`: anybody there could be the agent`;
  throw new AhpError("unauthorized", message);
}

/** A web page may not talk to a harness on its visitor's machine. */
export function isForeignOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  return origin !== undefined && !allowed.includes(origin);
}

function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith("127.");
  return isIPv6(host) ? host === "::1" : host === "localhost";
}
