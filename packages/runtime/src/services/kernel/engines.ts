import { ENGINES, type EngineRow, FairleadError, type SessionRow } from "@fairlead/contract";
import { NATIVE } from "../../domain/kernel/background.ts";
import type { Engine } from "../../ports/engine.ts";

/** What drives a session that names this engine. Throws engine_unknown or engine_not_installed. */
export function engineNamed(engines: readonly Engine[], name: string = NATIVE): Engine {
  const engine = engines.find(({ id }) => id === name);
  const missing = engine?.missing();
  if (engine !== undefined && missing === undefined) return engine;
  const details = {
    engine: name,
    engines: engines.filter((one) => one.missing() === undefined).map(({ id }) => id),
  };
  if (engine !== undefined || (ENGINES as readonly string[]).includes(name))
    throw new FairleadError("engine_not_installed", {
      message: `The engine ${name} is not installed here: ${missing ?? "nothing here drives it"}`,
      details,
    });
  throw new FairleadError("engine_unknown", {
    message: `There is no engine ${JSON.stringify(name)}.`,
    details,
  });
}

/** Those that are here, and those whose names are known. */
export function engineRows(engines: readonly Engine[]): readonly EngineRow[] {
  const names = new Set([...engines.map(({ id }) => id), ...ENGINES]);
  return [...names].map((id) => {
    const engine = engines.find((one) => one.id === id);
    const missing = engine === undefined ? "Nothing here drives it." : (engine.missing() ?? null);
    return {
      id,
      fidelity: engine?.fidelity ?? null,
      parks: engine?.parks ?? null,
      installed: missing === null,
      missing,
    };
  });
}

/** States in which one that cannot park holds a process. */
const AT_WORK: ReadonlySet<string> = new Set(["running", "awaiting_approval"]);

/** Throws engine_cannot_park where to pause the session would keep a process waiting for as long as somebody likes. */
export function demandParking(
  engines: readonly Engine[],
  { session_id, status, state }: Pick<SessionRow, "session_id" | "status" | "state">,
): void {
  const engine = engines.find(({ id }) => id === state?.engine);
  if (engine === undefined || engine.parks || !AT_WORK.has(status)) return;
  throw new FairleadError("engine_cannot_park", { details: { session_id, status, engine: engine.id } });
}
