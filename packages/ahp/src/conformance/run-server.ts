import { SERVER_CHECKS } from "./checks/index.ts";
import type { Need, Requirement } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements.ts";
import type { Target } from "./target.ts";
import type { TransportName } from "./transports.ts";
import type { Trial } from "./trial.ts";
import { openTrial } from "./trial.ts";
import { track } from "./track.ts";

/** One cell of the report. */
export interface Outcome {
  readonly id: string;
  readonly transport: TransportName;
  readonly status: "pass" | "fail" | "skip";
  /** Why it failed or was skipped. */
  readonly note?: string;
}

/** How a note begins when nothing could be asked. */
export const GREETING_FAILED = "cannot even greet";

/** Asks one harness everything that can be asked of it; never throws for what it finds. */
export async function runServer(
  target: Target,
  isWanted: (id: string) => boolean = () => true,
): Promise<Outcome[]> {
  const wanted = serverRequirements(target.transport).filter(({ id }) => isWanted(id));
  const { tracked, closeAll } = track(target);
  const trial = await openTrial(tracked).catch(messageOf);
  const outcomes: Outcome[] = [];
  for (const requirement of wanted) {
    outcomes.push({
      id: requirement.id,
      transport: target.transport,
      ...(typeof trial === "string"
        ? { status: "fail", note: `${GREETING_FAILED}: ${trial}` }
        : await judge(trial, requirement)),
    });
  }
  await closeAll();
  return outcomes;
}

async function judge(trial: Trial, { id, needs }: Requirement): Promise<Pick<Outcome, "status" | "note">> {
  const reason = skipReason(trial.target, needs);
  if (reason !== undefined) return { status: "skip", note: reason };
  const note = await attempt(() => SERVER_CHECKS[id]?.(trial));
  return note === undefined ? { status: "pass" } : { status: "fail", note };
}

function serverRequirements(transport: TransportName): Requirement[] {
  return REQUIREMENTS.filter(({ side, transports }) => side === "server" && transports.includes(transport));
}

/** Undefined when it went well, else what went wrong. */
export async function attempt(check: () => Promise<void> | undefined): Promise<string | undefined> {
  try {
    const done = check();
    if (done === undefined) return "nothing checks this requirement";
    await done;
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

function skipReason(target: Target, need: Need): string | undefined {
  const hint = "see the script convention in the README";
  switch (need) {
    case "nothing":
      return undefined;
    case "script":
      return target.isScripted ? undefined : `needs a scripted harness: ${hint}`;
    case "generic":
      return target.openGeneric ? undefined : "needs a harness with the generic handler alone";
    case "limit":
      return target.maxMessageBytes ? undefined : "needs to know the harness's largest message";
    case "auth":
      return target.openGuarded ? undefined : "needs a harness that asks for the suite's credentials";
  }
}
