// One turn with one tool, named by the request: the same in the child that is killed and in the one that goes on.
import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import type { SessionId } from "@fairlead/contract";
import { type Runtime, createRuntime } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADMIN, SEAL_KEY } from "../support/world.ts";

const rule = (tool: string) => ({
  when: tool,
  rounds: [[{ say: "I begin. " }, { call: tool }], [{ say: "All of it is done." }]],
});

/** `data`: a directory, or the URL of a PostgreSQL. */
export async function openKillScene(data: string, workspace: string): Promise<Runtime> {
  return createRuntime({
    store: data.startsWith("postgres") ? { postgres: data } : { sqlite: data },
    workspace,
    sealKey: SEAL_KEY,
    env: {},
    models: [scriptedModel({ script: { rules: [rule("look"), rule("put"), rule("send")] } })],
    tools: ToolsConfig.parse({ modules: [fileURLToPath(new URL("./tool-kill-tools.ts", import.meta.url))] }),
    limits: { leaseMs: 500 },
  });
}

/** What the log holds, once `isSo` is true of it. */
export async function until<T>(look: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  for (let looks = 0; looks < 2_000; looks++) {
    const seen = await look();
    if (isSo(seen)) return seen;
    await new Promise<void>((resolve) => void setTimeout(resolve, 5));
  }
  throw new Error("It did not come to pass.");
}

/** Lives until it is killed. */
export async function playUntilKilled([data, workspace, session, input]: readonly string[]): Promise<void> {
  const runtime = await openKillScene(data ?? "", workspace ?? "");
  await runtime.start();
  // Whoever is killed leaves no cache behind.
  flushCompileCache();
  const { turns } = runtime.services;
  await turns.start(ADMIN, session as SessionId, { input: input ?? "" });
  const row = await until(
    () => runtime.log.row<{ turn: string }>("wake", session ?? ""),
    (wake) => wake?.turn === "parked",
  );
  process.stdout.write(`${row?.turn}\n`);
  setInterval(() => {}, 60_000);
}
