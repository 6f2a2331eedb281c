import { createRuntime, type Runtime, type RuntimeOptions } from "@fairlead/runtime";
import { loadConfig, patternsFrom } from "@fairlead/runtime/config";
import { looseDirectory } from "@fairlead/runtime/local";
import { Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import type { Place } from "./place.ts";

/** The engine over this place, as the configuration has it (`config`, or the one found here). What the machine has against it becomes a sentence that says what to do. */
export async function openRuntime(
  host: Host,
  place: Place,
  { config, ...options }: Partial<RuntimeOptions> & { readonly config?: string } = {},
): Promise<Runtime> {
  try {
    if (place.kind === "sqlite") looseDirectory(place.data);
    const store = place.kind === "sqlite" ? { sqlite: place.data } : { postgres: place.url };
    const { redact } = loadConfig({ cwd: host.cwd, ...(config === undefined ? {} : { file: config }) });
    const patterns = [...redact, ...patternsFrom(host.env)];
    return await createRuntime({ store, env: host.env, redact: patterns, ...options });
  } catch (error) {
    throw explained(error, place);
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
