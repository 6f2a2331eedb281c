import { CLIENT_MUTANTS } from "./mutants/clients.ts";
import type { ClientMutant, ServerMutant } from "./mutants/mutant.ts";
import { SERVER_MUTANTS } from "./mutants/servers.ts";
import { TRANSPORT_MUTANTS } from "./mutants/transports.ts";
import { runClient } from "./run-client.ts";
import type { Outcome } from "./run-server.ts";
import { GREETING_FAILED, runServer } from "./run-server.ts";

/** A broken peer, and whether the requirement that it breaks noticed. */
export interface MutantOutcome {
  readonly id: string;
  readonly caughtBy: string;
  readonly isCaught: boolean;
  /** What the requirement said. */
  readonly note: string;
}

/** Most of a run is waiting for answers that never come. */
const AT_ONCE = 8;

/** Runs the suite against peers that are wrong on purpose: a suite that passes them is worth nothing. */
export async function runMutants(): Promise<MutantOutcome[]> {
  const runs = [
    ...[...SERVER_MUTANTS, ...TRANSPORT_MUTANTS].map((mutant) => () => runServerMutant(mutant)),
    ...CLIENT_MUTANTS.map((mutant) => () => runClientMutant(mutant)),
  ];
  const outcomes: MutantOutcome[] = [];
  const queue = runs.entries();
  const worker = async () => {
    for (const [index, run] of queue) outcomes[index] = await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}

async function runServerMutant({ id, caughtBy, stage }: ServerMutant): Promise<MutantOutcome> {
  const staged = await stage();
  const found = await runServer(staged, (id) => id === caughtBy);
  await staged.close();
  return judge(id, caughtBy, found);
}

async function runClientMutant({ id, caughtBy, transport, make }: ClientMutant): Promise<MutantOutcome> {
  return judge(id, caughtBy, await runClient(transport, make, (id) => id === caughtBy));
}

function judge(id: string, caughtBy: string, found: readonly Outcome[]): MutantOutcome {
  const note = found.find(({ status }) => status === "fail")?.note;
  // A mutant that cannot be greeted was not caught by the requirement it breaks.
  const isCaught = note !== undefined && !note.startsWith(GREETING_FAILED);
  return { id, caughtBy, isCaught, note: note ?? "not noticed" };
}
