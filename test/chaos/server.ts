// The real runtime behind the real server, for each of the sites that it is given: the process that is killed, and the
// one that goes on. Dies by its own hand, with -9, once every site has come to its point or has nothing more to do.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import type { Runtime } from "../../packages/runtime/src/create-runtime.ts";
import { ToolsConfig } from "../../packages/runtime/src/host/tools-config.ts";
import { scriptedModel } from "../../packages/runtime/src/models/scripted.ts";
import { createServer, type FairleadServer } from "../../packages/runtime/src/server/app.ts";
import { openCrashScene } from "../../packages/runtime/test/crash/open-scene.ts";
import { ADMIN } from "../../packages/runtime/test/support/world.ts";
import { type Counted, killAt } from "./kill-at.ts";
import type { FromServer, ServedSite, ToServer } from "./server-words.ts";
import { SCENARIOS } from "./scenarios.ts";

const sites = JSON.parse(process.argv[2] ?? "[]") as readonly ServedSite[];
const deadly = sites.some(({ point }) => point !== undefined);
const over = new Set<number>();

function isOver(index: number): void {
  over.add(index);
  if (deadly && over.size === sites.length) process.kill(process.pid, "SIGKILL");
}

/** Said before it dies, so that nobody takes a run that never came there for one that survived. */
function isReached(index: number): void {
  writeSync(1, `${index}\n`);
  isOver(index);
}

/** The last point of all: it has done all that it had to, and dies. */
async function isEnded(index: number): Promise<void> {
  const { counted } = (await opened)[index] as Open;
  const { point } = sites[index] as ServedSite;
  if (point?.moment === "acted" && counted.commits >= point.commit) isReached(index);
  else isOver(index);
}

interface Open {
  readonly runtime: Runtime;
  readonly server: FairleadServer;
  readonly counted: Counted;
}

const MIB = 1024 * 1024;
/** Patient: a busy machine must not be what is found out. */
const CHATS = {
  files: 1_000,
  totalBytes: MIB,
  patienceMs: 60_000,
  storeBytes: 16 * MIB,
  keepMs: 3_600_000,
};

const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent };

async function open(site: ServedSite, index: number): Promise<Open> {
  const counted: Counted = { commits: 0, events: 0 };
  const { script, limits, kept } = SCENARIOS[site.scenario];
  const runtime = await openCrashScene(
    site.store,
    site.workspace,
    (log) => killAt(log, site.point, counted, () => isReached(index)),
    {
      models: [scriptedModel({ script: script(site.world) })],
      tools: ToolsConfig.parse({ modules: [fileURLToPath(new URL("./tools.ts", import.meta.url))] }),
      env: { PATH: process.env["PATH"] },
      workspaces: {
        isolate: "background",
        directory: site.places,
        keepMs: 3_600_000,
        ...(kept ? { chats: CHATS } : {}),
      },
      // Words are written when the answer is whole, so that a run makes the same commits each time. A lease outlasts a
      // busy machine: what is played here is one death, and not a second one by delay.
      limits: { callTries: 1, leaseMs: 2_000, deltaMs: 60_000, ...limits },
      report: (error) => process.stderr.write(`${String((error as Error).stack ?? error)}\n`),
    },
  );
  await runtime.start();
  const server = createServer({
    runtime,
    auth: { authenticate: async () => ADMIN },
    config: { host: "127.0.0.1", port: 0, version: "chaos" },
    logger,
  });
  const { url } = await server.listen();
  say({ site: index, url });
  return { runtime, server, counted };
}

function say(words: FromServer): void {
  process.send?.(words);
}

const opened = Promise.all(sites.map(open));
// Whoever is killed leaves no cache of the code behind.
void opened.then(() => flushCompileCache());

process.on("message", (words: ToServer) => {
  if ("ended" in words) void isEnded(words.ended);
  else void stop();
});

process.on("disconnect", () => process.exit());

async function stop(): Promise<void> {
  const all = await opened;
  for (const { server, runtime } of all) {
    await server.close();
    await runtime.stop();
  }
  say({ counted: all.map(({ counted }) => counted) });
  process.disconnect();
}
