import { statSync } from "node:fs";
import { dirname } from "node:path";
import { createRuntime, openModels, type Runtime, type RuntimeOptions } from "@fairlead/runtime";
import { loadConfig, patternsFrom, workspacesChoice } from "@fairlead/runtime/config";
import { looseDirectory } from "@fairlead/runtime/local";
import { Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import { nameOf, type Place } from "./place.ts";

interface OpenOptions extends Partial<RuntimeOptions> {
  readonly config?: string;
  /** Told what keeps it waiting, once that has lasted. */
  readonly waiting?: (text: string) => void;
}

const PATIENCE_MS = 1_000;

/** The engine over this place, as the configuration has it (`config`, or the one found here). What the machine has against it becomes a sentence that says what to do. */
export async function openRuntime(
  host: Host,
  place: Place,
  { config, waiting, ...options }: OpenOptions = {},
): Promise<Runtime> {
  let patience: NodeJS.Timeout | undefined;
  try {
    if (place.kind === "sqlite") demandDirectory(place.data);
    else {
      const where = /\((.*)\)/.exec(await nameOf(place))?.[1];
      patience = setTimeout(() => waiting?.(`waiting for PostgreSQL at ${where} …`), PATIENCE_MS);
    }
    const store = place.kind === "sqlite" ? { sqlite: place.data } : { postgres: place.url };
    const file = loadConfig({ cwd: host.cwd, ...(config === undefined ? {} : { file: config }) });
    const { expires_ms } = file.approvals;
    const patterns = [...file.redact, ...patternsFrom(host.env)];
    const { models, fallbacks, secrets } = openModels({
      config: file,
      env: host.env,
      keys: () => place.config,
      self: host.self,
    });
    return await createRuntime({
      store,
      env: host.env,
      redact: [...patterns, ...secrets.map(literal)],
      self: host.self,
      models,
      fallbacks,
      tools: file.tools,
      retrieval: file.retrieval,
      workspaces: workspacesChoice(file.workspaces),
      hooks: { hooks: file.hooks, base: file.file === undefined ? host.cwd : dirname(file.file) },
      ...(file.reflection === undefined ? {} : { reflection: file.reflection }),
      delegation: file.delegation,
      ...(file.budgets === undefined ? {} : { budgets: file.budgets }),
      limits: expires_ms === undefined ? {} : { approvalMs: expires_ms },
      ...options,
    });
  } catch (error) {
    throw explained(error, place);
  } finally {
    clearTimeout(patience);
  }
}

/** A key is taken out wherever it turns up. */
function literal(secret: string): string {
  return secret.replaceAll(/[^\w]/g, "\\$&");
}

function demandDirectory(data: string): void {
  const stats = statSync(data, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw new Failure("data_unusable", `${data} is a file, and the data lies in a directory.`);
  looseDirectory(data);
}

/** Codes of SQLite, whose lower byte says the kind. */
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;

export function explained(cause: unknown, place: Place): unknown {
  const { code, syscall, message, errcode = 0 } = cause as NodeJS.ErrnoException & { errcode?: number };
  if (place.kind !== "sqlite") return cause;
  const { data } = place;
  const kind = errcode & 0xff;
  if (code === "EROFS" || (code === "ERR_SQLITE_ERROR" && kind === SQLITE_READONLY)) {
    const hint = `Copy it to where you can write: cp -r ${data} COPY && chmod -R u+rwX,go= COPY, then --data COPY.`;
    return new Failure("read_only", `${data} cannot be written to, and opening a store writes to it.`, {
      hint,
      cause,
    });
  }
  if (code === "ERR_SQLITE_ERROR" && kind === SQLITE_CANTOPEN) {
    return new Failure("data_unusable", `The files in ${data} cannot be opened or made: ${message}.`, {
      hint: `Is it yours, and can you write to it? If it is a copy to look at: cp -r ${data} COPY && chmod -R u+rwX,go= COPY, then --data COPY.`,
      cause,
    });
  }
  if (code === "ERR_SQLITE_ERROR") {
    return new Failure("store_unreadable", `The store in ${data} cannot be opened: ${message}.`, { cause });
  }
  if (syscall === undefined) return cause;
  return new Failure("data_unusable", `${data} cannot be used: ${message}.`, { cause });
}
