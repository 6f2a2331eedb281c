import type { Report } from "./report.ts";
import { runClient } from "./run-client.ts";
import { runMutants } from "./run-mutants.ts";
import type { Outcome } from "./run-server.ts";
import { runServer } from "./run-server.ts";
import { stage } from "./stage.ts";
import { TRANSPORTS } from "./transports.ts";

/** Our own harness and client on every transport, and every mutant. */
export async function runReference(): Promise<Report> {
  const outcomes: Outcome[] = [];
  for (const transport of TRANSPORTS) {
    const staged = await stage(transport);
    outcomes.push(...(await runServer(staged)));
    await staged.close();
    outcomes.push(...(await runClient(transport)));
  }
  return { outcomes, mutants: await runMutants() };
}
