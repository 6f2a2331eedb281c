import { existsSync } from "node:fs";
import { join } from "node:path";
import { listServers, loadSealKey } from "@fairlead/runtime/local";
import { type Check, failed, type Finding, ok, warn } from "./finding.ts";

/** What must be readable by its owner only. */
export const checkKeys: Check = async ({ host, place }) => {
  const dataThere = place.kind === "postgres" || existsSync(join(place.data, "fairlead.db"));
  return [sealFinding(host.env, place.config, dataThere), credentialFinding(place.config)];
};

function sealFinding(
  env: Readonly<Record<string, string | undefined>>,
  config: string,
  dataThere: boolean,
): Finding {
  const name = "seal key";
  const file = join(config, "seal.key");
  const given = (env["FAIRLEAD_SEAL_KEY"] ?? "") !== "";
  if (!given && !existsSync(file)) {
    if (!dataThere) return ok(name, `none yet; it is made at ${file} when needed`);
    return warn(
      name,
      `${file} is missing, and there is data that may be sealed with it`,
      "Put it back from where you keep it. Without it a new one is made, and what is sealed stays closed.",
    );
  }
  try {
    loadSealKey({ env, config: () => config });
    return ok(name, given ? "from FAIRLEAD_SEAL_KEY" : file);
  } catch (error) {
    return failed(name, error, `Look at ${file}.`);
  }
}

function credentialFinding(config: string): Finding {
  const name = "credentials";
  try {
    const servers = listServers(config);
    return ok(
      name,
      servers.length === 0
        ? "no server of yours is running"
        : `for ${servers.map(({ url }) => url).join(", ")}`,
    );
  } catch (error) {
    return failed(name, error, `Look at ${join(config, "servers")}.`);
  }
}
