import { FairleadError, type HookRow } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { hookHash } from "../../domain/hooks/hash.ts";
import type { HookTrust } from "../../domain/hooks/trust.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { HookDefinition, HookFile, HookHost } from "../../ports/hook.ts";
import { type Redactor, redacted } from "../redaction.ts";
import { demand, taken } from "../refusal.ts";
import { appendToSystem } from "../system-stream.ts";
import type { Hooks } from "./types.ts";

export interface HooksDeps {
  readonly log: EventLog;
  readonly host: HookHost;
  readonly hooks: readonly HookDefinition[];
  readonly redactor: Redactor;
}

/** What a person is shown of a file. */
const SHOWN_BYTES = 64 * 1024;

interface Looked {
  readonly row: HookRow;
  readonly files: readonly HookFile[];
}

export function createHooks({ log, host, hooks, redactor }: HooksDeps): Hooks {
  const trustOf = (name: string) => log.row<HookTrust>("hook", name);

  function named(name: string): HookDefinition {
    const hook = hooks.find((one) => one.name === name);
    if (hook === undefined) throw new FairleadError("hook_not_found", { details: { name } });
    return hook;
  }

  async function look(hook: HookDefinition): Promise<Looked> {
    const [loaded, trust] = [await host.load(hook), await trustOf(hook.name)];
    if (!loaded.ok) return { row: rowOf(hook, trust, { hash: null, problem: loaded.problem }), files: [] };
    const { program = null, files } = loaded.hook;
    const row = rowOf(hook, trust, { hash: hookHash(hook, loaded.hook), problem: null, program, files });
    return { row, files };
  }

  return {
    async list(actor) {
      demand(actor, "session.read");
      return Promise.all(hooks.map(async (hook) => (await look(hook)).row));
    },
    async get(actor, name) {
      demand(actor, "hook.trust");
      const { row, files } = await look(named(name));
      const shown = row.files.map((file, i) => {
        const text = files[i]?.text(SHOWN_BYTES) ?? null;
        return { ...file, text: redacted(redactor, text) };
      });
      return { ...row, files: shown };
    },
    async trust(actor, name, hash) {
      demandAll(actor);
      const hook = named(name);
      const { row } = await look(hook);
      if (row.hash === null)
        throw new FairleadError("hook_unusable", { message: `${name}: ${row.problem}`, details: { name } });
      // A person trusts what they saw, not what has taken its place.
      if (row.hash !== hash) throw new FairleadError("hook_changed", { details: { name, hash: row.hash } });
      if (row.state === "trusted") return row;
      const data = { hook: name, hash, actor: actor.name };
      taken(await appendToSystem(log, [{ type: "runtime.hook.trusted", data }], []));
      return (await look(hook)).row;
    },
    async untrust(actor, name) {
      demandAll(actor);
      const trust = await trustOf(name);
      if (trust === undefined) named(name);
      if (trust?.hash == null) return;
      const data = { hook: name, actor: actor.name };
      taken(await appendToSystem(log, [{ type: "runtime.hook.untrusted", data }], []));
    },
    async problems() {
      const rows = await Promise.all(hooks.map(async (hook) => (await look(hook)).row));
      return rows.flatMap(problemOf);
    },
  };
}

/** Hooks run for every project, so who speaks for one of them cannot decide about them. */
function demandAll(actor: Actor): void {
  demand(actor, "hook.trust");
  if (actor.project !== null)
    throw new FairleadError("forbidden", {
      message: `Hooks run for every project, and this credential is for ${actor.project}.`,
      details: { project: actor.project },
    });
}

type Found = Pick<HookRow, "hash" | "problem"> &
  Partial<Pick<HookRow, "program">> & { readonly files?: readonly HookFile[] };

function rowOf(hook: HookDefinition, trust: HookTrust | undefined, found: Found): HookRow {
  const { name, on, tools, command, module, blocking, timeout_ms } = hook;
  const { hash, problem, program = null, files = [] } = found;
  const trusted = trust?.hash == null ? undefined : trust;
  return {
    name,
    on,
    tools: tools === undefined ? null : [...tools],
    command: command === undefined ? null : [...command],
    module: module ?? null,
    blocking,
    timeout_ms,
    state: stateOf(hash, trusted?.hash ?? null),
    hash,
    problem,
    program,
    files: files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
    trusted_hash: trusted?.hash ?? null,
    trusted_by: trusted?.actor ?? null,
    trusted_at: trusted?.at ?? null,
  };
}

function stateOf(hash: string | null, trusted: string | null): HookRow["state"] {
  if (hash === null) return "unusable";
  if (trusted === null) return "untrusted";
  return hash === trusted ? "trusted" : "changed";
}

function problemOf({ name, state, problem, blocking, trusted_by }: HookRow): string[] {
  const so = blocking ? "It blocks until someone does" : "It is skipped until someone does";
  const how = `${so}: \`fairlead hooks trust ${name}\`.`;
  switch (state) {
    case "trusted":
      return [];
    case "unusable":
      return [`The hook ${name} cannot be run${blocking ? ", and blocks" : ""}: ${problem}`];
    case "changed":
      return [`The hook ${name} has changed since ${trusted_by} trusted it. ${how}`];
    case "untrusted":
      return [`Nobody has trusted the hook ${name}. ${how}`];
  }
}
