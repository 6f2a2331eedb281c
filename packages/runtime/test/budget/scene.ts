// Background work that delegates to several at once, all of which want more than there is. What the provider would
// charge is written to a file as soon as it is asked, so that also a call that is lost is known.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@fairlead/contract";
import type { Runtime, StoreChoice } from "../../src/create-runtime.ts";
import { contextTokens, ESTIMATE } from "../../src/domain/context/estimate.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Model } from "../../src/ports/model.ts";
import { ADMIN } from "../support/world.ts";
import { type Observe, openCrashScene } from "../crash/open-scene.ts";

/** A token is a dollar. */
export const PRICE = { input: 1_000_000, output: 1_000_000 };
export const LIMIT_USD = 60_000;
export const AGENTS = 4;
const ANSWER_TOKENS = 150;
const LEDGER = "spent.txt";

const MORE: readonly Step[] = [{ say: "More. " }, { call: "list_files", with: { path: "." } }];

const SCRIPT = {
  rules: [
    {
      when: "begin",
      rounds: [
        Array.from({ length: AGENTS }, (_, i): Step => ({
          call: "delegate",
          with: { task: `Dig in hole ${i}.` },
        })),
        [...MORE],
        [{ say: "All dug." } as Step],
      ],
    },
    { when: "dig", rounds: Array.from({ length: 90 }, () => [...MORE]) },
  ],
};

/** Charges what it was asked, and says at most what it was held to. */
export function charging(charge: (usd: number) => void): Model {
  const scripted = scriptedModel({ script: SCRIPT });
  return {
    ...scripted,
    price: PRICE,
    async *stream(request, signal) {
      const input_tokens = contextTokens(request.messages, request.tools ?? [], ESTIMATE);
      const output_tokens = Math.min(ANSWER_TOKENS, request.max_output_tokens ?? Infinity);
      charge(input_tokens + output_tokens);
      for await (const part of scripted.stream(request, signal))
        yield part.type === "usage" ? { ...part, input_tokens, output_tokens } : part;
    },
  };
}

export function charged(workspace: string): readonly number[] {
  const file = join(workspace, LEDGER);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number) : [];
}

export async function openBudget(store: StoreChoice, workspace: string, observe?: Observe): Promise<Runtime> {
  return openCrashScene(store, workspace, observe, {
    models: [charging((usd) => appendFileSync(join(workspace, LEDGER), `${usd}\n`))],
  });
}

/** Queued, and taken up by whoever comes next. */
export async function queueWork(store: StoreChoice, workspace: string): Promise<SessionId> {
  const runtime = await openBudget(store, workspace, (log) => ({
    ...log,
    acquireLease: async () => undefined,
  }));
  const { session_id } = await runtime.services.kernel.start(ADMIN, {
    task: "begin",
    permission_mode: "plan",
    policy: { health: { max_cost_usd: LIMIT_USD, action: "pause" } },
  });
  await runtime.stop();
  return session_id;
}

const AT_REST: ReadonlySet<string> = new Set(["paused", "completed", "failed", "needs_review"]);

/** Until nothing more happens by itself. */
export async function playOut({ services }: Runtime, session: SessionId): Promise<string> {
  for (let looks = 0; looks < 4_000; looks++) {
    const { status } = await services.sessions.get(ADMIN, session);
    if (AT_REST.has(status)) return status;
    await services.turns.recover();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("the session still has something to do");
}
