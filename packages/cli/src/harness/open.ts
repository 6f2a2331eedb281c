import { resolve } from "node:path";
import type { Runtime } from "@fairlead/runtime";
import {
  type Harness,
  listen,
  type Listening,
  mount,
  type Mounted,
  openHarness,
  parseAddress,
} from "@fairlead/runtime/harness";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import type { SupervisionHere } from "../serve/supervision.ts";
import type { HarnessChoice } from "./choice.ts";

export interface OpenedHarness {
  readonly harness: Harness;
  readonly mounted: Mounted;
  readonly agent: string;
  close(): Promise<void>;
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
  readonly supervision: SupervisionHere;
}

/** The harness as this directory has it. Throws what says where the configuration is wrong. */
export async function openHarnessHere(options: OpenOptions): Promise<OpenedHarness> {
  const { runtime, host, choice, version, report, supervision } = options;
  const { config } = supervision;
  const harness = openHarness({ runtime, config, supervision, version, report });
  await harness.start();
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
    close: () => harness.stop(),
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
