import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { AhpClient, GenericDecision } from "@fairlead/ahp";
import { unix } from "@fairlead/ahp/unix";
import type { AnyEvent } from "@fairlead/contract";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/harness/listen.ts";
import { ahpSupervisor } from "../../src/supervisors/ahp.ts";
import { action, dataOf, stand, tempDir } from "./support.ts";

const AGENTS = 20;
const EACH = 50;
const TIMEOUT_MS = 100;
const SCRIPT = fileURLToPath(new URL("unreliable-supervisor.ts", import.meta.url));

/** A supervisor that dies now and then and comes back a little later. */
async function unreliable(path: string): Promise<{ stop(): Promise<void>; readonly deaths: number }> {
  let child: ChildProcess | undefined;
  let isOver = false;
  let deaths = 0;

  async function start(): Promise<void> {
    const born = spawn(process.execPath, [SCRIPT, path, String(7 + deaths), String(TIMEOUT_MS * 3)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = born;
    await once(born.stdout, "data");
  }

  async function live(): Promise<void> {
    while (!isOver) {
      await sleep(300);
      child?.kill("SIGKILL");
      deaths += 1;
      await sleep(50);
      if (!isOver) await start();
    }
  }

  await start();
  const living = live();
  return {
    get deaths() {
      return deaths;
    },
    async stop() {
      isOver = true;
      await living;
      child?.kill("SIGKILL");
    },
  };
}

interface Asked {
  readonly agent: string;
  readonly tool: string;
  readonly decision: GenericDecision;
}

test(
  "a supervisor that dies, hangs, babbles, rewrites or comes late never lets through what rules or itself forbid",
  { timeout: 60_000 },
  async () => {
    const dir = tempDir();
    const path = join(dir, "supervisor.sock");
    const supervisor = await unreliable(path);
    onTestFinished(() => supervisor.stop());
    const guard = ahpSupervisor({
      name: "guard",
      transport: unix({ path }),
      on: ["pre_action"],
      timeoutMs: TIMEOUT_MS,
      onFailure: "block",
      version: "0",
    });
    const place = await stand({
      supervisors: [guard],
      circuit: { failures: 5, pauseMs: 50 },
      store: { sqlite: join(dir, "data") },
    });
    const listening = await listen(place.harness, { unix: join(dir, "harness.sock"), localAgent: "bot" });
    onTestFinished(listening.close);

    async function work(client: AhpClient, agent: string): Promise<Asked[]> {
      const asked: Asked[] = [];
      for (let i = 0; i < EACH; i++) {
        // Rules forbid rm, and only the supervisor forbids deploy.
        const tool = i % 5 === 0 ? "rm" : i % 5 === 1 ? "deploy" : "ls";
        asked.push({ agent, tool, decision: await client.decide("pre_action", action(tool, { i })) });
        await sleep((i * 7) % 20);
      }
      return asked;
    }

    const names = Array.from({ length: AGENTS }, (_, i) => `chaos-${i}`);
    const clients = await Promise.all(
      names.map((name) =>
        place.agent(unix({ path: listening.unix ?? "" }), { sessionId: name, agentId: name }),
      ),
    );
    const asked = (await Promise.all(clients.map((client, i) => work(client, names[i] as string)))).flat();
    await supervisor.stop();

    // Every request was answered, and nothing forbidden was allowed.
    expect(asked).toHaveLength(AGENTS * EACH);
    expect(asked.filter(({ tool, decision }) => tool !== "ls" && decision.decision !== "block")).toEqual([]);
    const kinds = new Set(asked.map(({ decision }) => decision.decision));
    expect([...kinds].toSorted()).toEqual(["allow", "block"]);

    // Every fallback is in the log, and every yes has the supervisor's own yes behind it.
    const logs: (readonly AnyEvent[])[] = [];
    for (const name of names) logs.push(await place.events(name));
    const external = logs
      .flatMap((events) => dataOf(events, "runtime.supervision.answered"))
      .filter(({ supervisor: by }) => by === "guard");
    const fallbacks = external.filter(({ source }) => source !== "supervisor");
    const refused = asked.filter(
      ({ tool, decision }) =>
        tool !== "rm" && decision.decision === "block" && decision.reason.includes("gave no answer"),
    );
    expect(fallbacks).toHaveLength(refused.length);
    expect(external).toHaveLength(asked.filter(({ tool }) => tool !== "rm").length);
    const saying = (decision: unknown) =>
      external.filter(
        (answer) => answer["source"] === "supervisor" && isDeepStrictEqual(answer["decision"], decision),
      );
    const approvals = saying({ decision: "allow" });
    expect(asked.filter(({ decision }) => decision.decision === "allow")).toHaveLength(approvals.length);

    // What it rewrote into something forbidden was judged as that.
    const rewritten = [
      ...saying({ decision: "modify", modified_payload: action("rm") }),
      ...saying({ decision: "allow", modified_payload: action("rm") }),
    ];
    const caught = asked.filter(
      ({ tool, decision }) =>
        tool !== "rm" && decision.decision === "block" && decision.reason === "Nothing is deleted here.",
    );
    expect(rewritten.length).toBeGreaterThan(0);
    expect(caught).toHaveLength(rewritten.length);

    // It was chaos indeed: each way to fail occurred, and the circuit opened and closed, in the log.
    const sources = new Set(fallbacks.map(({ source }) => source));
    expect([...sources].toSorted()).toEqual(["circuit", "failed", "invalid", "timeout"]);
    expect(supervisor.deaths).toBeGreaterThan(0);
    const circuit = logs.flatMap((events) => dataOf(events, "runtime.transport.diagnostic"));
    expect(new Set(circuit.map(({ status }) => status))).toEqual(new Set(["open", "half_open", "closed"]));
  },
);
