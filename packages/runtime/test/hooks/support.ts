import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AnyEvent, HookRow } from "@fairlead/contract";
import { onTestFinished } from "vitest";
import { hookHash } from "../../src/domain/hooks/hash.ts";
import { is } from "../../src/domain/event.ts";
import { hookHost } from "../../src/host/hooks/hook-host.ts";
import { hostProcesses } from "../../src/host/processes.ts";
import { shellEnv } from "../../src/host/shell-env.ts";
import type { HookDefinition, HookHost, HookRan, LoadedHook } from "../../src/ports/hook.ts";
import { model, type Scene, scene, tool } from "../golden/scene.ts";
import { ADMIN, everything, type WorldOptions } from "../support/world.ts";

/** A configuration with a workspace beside it, and real processes. */
export interface HookPlace {
  readonly base: string;
  readonly workspace: string;
  readonly scratch: string;
  readonly host: HookHost;
  /** A file beside the configuration. What begins with `#!` can be run. */
  put(path: string, content: string): string;
  load(hook: HookDefinition): Promise<LoadedHook>;
  hash(hook: HookDefinition): Promise<string>;
  run(hook: HookDefinition, input?: string, signal?: AbortSignal): Promise<HookRan>;
  /** Copies that were left behind. */
  left(): readonly string[];
}

export function hookPlace(env: Readonly<Record<string, string | undefined>> = process.env): HookPlace {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-hooks-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [base, workspace, scratch] = [
    join(top, "config"),
    join(top, "workspace"),
    join(top, "data", "hooks"),
  ];
  for (const directory of [base, workspace]) mkdirSync(directory);
  const host = hookHost({
    base,
    workspace,
    scratch: () => scratch,
    env: shellEnv(env),
    processes: hostProcesses,
  });
  async function load(hook: HookDefinition): Promise<LoadedHook> {
    const loaded = await host.load(hook);
    if (!loaded.ok) throw new Error(loaded.problem);
    return loaded.hook;
  }
  return {
    base,
    workspace,
    scratch,
    host,
    put(path, content) {
      const file = join(base, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      if (content.startsWith("#!")) chmodSync(file, 0o755);
      return file;
    },
    load,
    hash: async (hook) => hookHash(hook, await load(hook)),
    run: async (hook, input = "{}\n", signal = new AbortController().signal) =>
      (await load(hook)).run(input, signal),
    left: () => {
      try {
        return readdirSync(scratch);
      } catch {
        return [];
      }
    },
  };
}

/** Long enough for a busy machine: only what is meant to take too long does. */
const PATIENT_MS = 60_000;

export function hook(more: Partial<HookDefinition>): HookDefinition {
  const given = more.module === undefined && more.command === undefined ? { command: sh("exit 0") } : {};
  return { name: "guard", on: "before_tool", blocking: true, timeout_ms: PATIENT_MS, ...given, ...more };
}

/** A command that needs no file. */
export function sh(script: string): [string, ...string[]] {
  return ["/bin/sh", "-c", script];
}

/** As a person does it: looks, and trusts what was seen. */
export async function trust({ w }: Pick<Scene, "w">, ...names: readonly string[]): Promise<void> {
  const { hooks } = w.services;
  for (const { name, hash } of await hooks.list(ADMIN))
    if (names.includes(name)) await hooks.trust(ADMIN, name, hash as string);
}

export function rowOf(rows: readonly HookRow[], name = "guard"): HookRow {
  const row = rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`There is no row ${name}.`);
  return row;
}

/** A session in which hooks run, and which waits for real processes. */
export async function hookScene(
  place: HookPlace,
  hooks: readonly HookDefinition[],
  options: WorldOptions = {},
  settings: Parameters<typeof scene>[1] = { permission_mode: "full_access" },
): Promise<Scene> {
  const play = await scene(
    { workspace: place.workspace, hooks: { hooks, host: place.host }, ...options },
    settings,
  );
  return { ...play, rest: () => ended(play) };
}

/** When the last turn has ended or is parked. Nothing is looked at twice: the log says when there is more. */
export async function ended({ w, session }: Pick<Scene, "w" | "session">): Promise<void> {
  let open = 0;
  const stop = new AbortController();
  for await (const batch of w.log.subscribe(session, { after: 0, signal: stop.signal })) {
    for (const { type } of batch) {
      if (type === "runtime.request.started" || type === "runtime.turn.resumed") open += 1;
      if (type === "runtime.turn.ended") open -= 1;
    }
    const { turn_id } = await w.services.sessions.get(ADMIN, session);
    if (open === 0 && turn_id === null) break;
  }
  stop.abort();
}

/** What was said about hooks: `NAME STATUS`, with `!` where it blocks. */
export async function hookLines(play: Pick<Scene, "events">): Promise<readonly string[]> {
  return (await play.events()).flatMap((event) =>
    is(event, "runtime.hook.event")
      ? [`${event.data.hook} ${event.data.status}${event.data.blocks === true ? " !" : ""}`]
      : [],
  );
}

export function dataOf(events: readonly AnyEvent[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}

export async function systemEvents({ w }: Pick<Scene, "w">): Promise<readonly AnyEvent[]> {
  return everything(w.log, "system");
}

/** Calls `change` once, and says what it heard. */
export const CALLS = {
  models: [
    model({
      rounds: [
        [{ call: "change", with: { what: "the flag" } }],
        [{ when_failed: true, do: [{ say: "Not done. {{result}}" }] }, { do: [{ say: "Done." }] }],
      ],
    }),
  ],
};

/** `change`: a tool that says in a file that it ran. */
export function marking(workspace: string) {
  const file = join(workspace, "ran");
  return {
    ran: () => existsSync(file),
    tool: tool(
      "change",
      async () => {
        writeFileSync(file, "");
        return { result: { secret: "hunter two" } };
      },
      { access: "write", effect: "once", parallel: false },
    ),
  };
}
