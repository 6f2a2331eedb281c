import { CLIENT_CHECKS } from "./client-checks/index.ts";
import type { ClientMaker } from "./client-trial.ts";
import { openClientTrial } from "./client-trial.ts";
import { FAKES } from "./fakes/index.ts";
import { REQUIREMENTS } from "./requirements.ts";
import type { Outcome } from "./run-server.ts";
import { attempt } from "./run-server.ts";
import type { TransportName } from "./transports.ts";

/** Puts a client through everything that a harness can do to it. */
export async function runClient(
  transport: TransportName,
  make?: ClientMaker,
  isWanted: (id: string) => boolean = () => true,
): Promise<Outcome[]> {
  const trial = openClientTrial(transport, await FAKES[transport](), make);
  const outcomes: Outcome[] = [];
  for (const { id, side, transports } of REQUIREMENTS) {
    if (side !== "client" || !transports.includes(transport) || !isWanted(id)) continue;
    const note = await attempt(() => CLIENT_CHECKS[id]?.(trial));
    outcomes.push({ id, transport, status: note === undefined ? "pass" : "fail", note });
    await trial.settle();
  }
  await trial.close();
  return outcomes;
}
