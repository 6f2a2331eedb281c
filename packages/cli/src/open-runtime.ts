import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createRuntime, type Runtime, type RuntimeOptions } from "@fairlead/runtime";
import { Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import type { Place } from "./place.ts";

/** The engine over this place. What the machine has against it becomes a sentence that says what to do. */
export async function openRuntime(
  host: Host,
  place: Place,
  options: Partial<RuntimeOptions> = {},
): Promise<Runtime> {
  try {
    if (place.kind === "sqlite") makeDirectory(place.data);
    const store = place.kind === "sqlite" ? { sqlite: place.data } : { postgres: place.url };
    return await createRuntime({ store, env: host.env, ...options });
  } catch (error) {
    throw explained(error, place);
  }
}

/** Step by step: Node's own way never ends where a directory cannot be made and the system does not say why. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function explained(cause: unknown, place: Place): unknown {
  const { code, syscall, message } = cause as NodeJS.ErrnoException;
  if (place.kind !== "sqlite") return cause;
  if (code === "ERR_SQLITE_ERROR") {
    return new Failure("store_unreadable", `The store in ${place.data} cannot be opened: ${message}.`, {
      cause,
    });
  }
  if (syscall === undefined) return cause;
  return new Failure("data_unusable", `${place.data} cannot be used: ${message}.`, { cause });
}
