import { resolve } from "node:path";
import type { Runtime } from "@fairlead/runtime";
import {
  DEFAULT_POLICIES,
  type Harness,
  listen,
  type Listening,
  loadConfig,
  mount,
  type Mounted,
  openHarness,
  parseAddress,
} from "@fairlead/runtime/harness";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import type { HarnessChoice } from "./choice.ts";
import { rulesIn } from "./rules.ts";

export interface OpenedHarness {
  readonly harness: Harness;
  readonly mounted: Mounted;
  readonly agent: string;
  /** Opens the listeners of its own. */
  listen(): Promise<Listening>;
}

export interface OpenOptions {
  readonly runtime: Runtime;
  readonly host: Host;
  readonly choice: HarnessChoice;
  /** Used when neither the command line nor the configuration names a socket. */
  readonly defaultSocket?: string;
  readonly version: string;
  readonly report: (error: unknown) => void;
}

/** The harness as this directory has it. Throws what says where the configuration is wrong. */
export async function openHarnessHere(options: OpenOptions): Promise<OpenedHarness> {
  const { runtime, host, choice, version, report } = options;
  const config = loadConfig({
    cwd: host.cwd,
    ...(choice.config === undefined ? {} : { file: choice.config }),
  });
  const policy = rulesIn(resolve(host.cwd, choice.policies ?? config.policies ?? DEFAULT_POLICIES));
  const harness = openHarness({
    runtime,
    config,
    policy: () => policy,
    version,
    env: host.env,
    workspace: host.cwd,
    report,
  });
  const mounted = await mount(harness);
  const unix =
    (choice.unix === undefined ? undefined : resolve(host.cwd, choice.unix)) ??
    config.harness.unix ??
    options.defaultSocket;
  const http = choice.http === undefined ? config.harness.http : addressOf(choice.http);
  const websocket = choice.ws === undefined ? config.harness.websocket : addressOf(choice.ws);
  const agent = choice.as ?? config.harness.agent;
  return {
    harness,
    mounted,
    agent,
    async listen() {
      try {
        return await listen(harness, {
          localAgent: agent,
          ...(unix === undefined ? {} : { unix }),
          ...(http === undefined ? {} : { http }),
          ...(websocket === undefined ? {} : { websocket }),
        });
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        throw new Failure(code === "EADDRINUSE" ? "port_in_use" : "cannot_listen", message, { cause: error });
      }
    },
  };
}

function addressOf(text: string): { host: string; port: number } {
  if (!/^(\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):\d{1,5}$/.test(text))
    throw new Failure("usage", `${text} is not HOST:PORT.`);
  return parseAddress(text);
}
