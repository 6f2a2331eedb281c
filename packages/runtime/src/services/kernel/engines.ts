import { ENGINES, FairleadError } from "@fairlead/contract";
import type { Engine } from "../../ports/engine.ts";

const NATIVE = "native";

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
