import type { ServerConfig } from "./config.ts";
import { isLoopback } from "./host-check.ts";

const USUAL = "npm run fairlead -- link";

/**
 * What makes a new sign-in link, for pages that anybody gets. It may name paths of this machine: only a server that
 * nobody else reaches says how it was started.
 */
export function linkCommandOf(
  config: Pick<ServerConfig, "host" | "secure" | "allowHosts" | "linkCommand">,
): string {
  const { host, secure = false, allowHosts = [], linkCommand = USUAL } = config;
  return isLoopback(host) && !secure && allowHosts.length === 0 ? linkCommand : USUAL;
}
