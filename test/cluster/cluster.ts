import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@fairlead/client";
import { onTestFinished } from "vitest";
import { createRuntime } from "../../packages/runtime/src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { freshDatabase } from "../../packages/runtime/test/support/postgres.ts";
import { type Deed, readDeeds } from "../chaos/ledger.ts";
import { makeRepository } from "../chaos/site.ts";
import { createMember, type Member } from "./member.ts";
import { watchWriters } from "./witness.ts";

const KEY = Buffer.alloc(32, 7);
const TOOLS = fileURLToPath(new URL("./tools.ts", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/fairlead-cli", import.meta.url));

export interface Cluster {
  readonly store: string;
  readonly members: readonly Member[];
  readonly token: string;
  /** Speaks to whichever member `choose` says at each request. */
  client(choose: () => string | undefined): Client;
  /** What took place outside. */
  deeds(): readonly Deed[];
  /** Where tools look for what they wait for. */
  readonly folder: string;
  /** What sessions work on: without a repository, and one. */
  readonly projects: { readonly plain: string; readonly repository: string };
}

export interface ClusterOptions {
  readonly members: number;
  readonly script: unknown;
  readonly args?: readonly string[];
  /** Whether work that writes gets a place of its own. */
  readonly places?: boolean;
}

/** Real servers over one real database; not started yet. All of it goes with the test. */
export async function makeCluster(options: ClusterOptions): Promise<Cluster> {
  const { members, script, args = [], places = false } = options;
  const store = await freshDatabase();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-cluster-")));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "begun.txt"), "begun");
  writeFileSync(join(root, "script.json"), JSON.stringify(script));
  const repository = join(root, "repository");
  mkdirSync(repository);
  makeRepository(repository);
  // One directory for all: they are processes of one machine.
  const own = { isolate: "background", directory: join(root, "places"), roots: [repository] };
  const config = { tools: { modules: [TOOLS] }, workspaces: places ? own : { isolate: "never" } };
  writeFileSync(join(cwd, "fairlead.yaml"), JSON.stringify(config));
  const token = await prepared(store, cwd);
  await watchWriters(store);

  const all = Array.from({ length: members }, (_, i) => {
    const home = join(root, `home-${i}`);
    mkdirSync(home);
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_STATE_HOME: join(home, "state"),
      XDG_CACHE_HOME: CACHE,
      FAIRLEAD_SEAL_KEY: KEY.toString("base64"),
      FAIRLEAD_SCRIPT: join(root, "script.json"),
      TMPDIR: tmpdir(),
      CLUSTER: root,
    };
    return createMember(`p${i + 1}`, { store, cwd, env, args });
  });
  onTestFinished(async () => {
    await Promise.all(all.map((member) => member.kill()));
    rmSync(root, { recursive: true, force: true });
  });
  return {
    store,
    token,
    folder: root,
    projects: { plain: cwd, repository },
    members: all,
    client: (choose) =>
      createClient({
        url: ANYWHERE,
        token,
        fetch: async (url, init) => {
          const there = choose();
          if (there === undefined) throw new Error("nobody answers");
          return fetch(url.replace(ANYWHERE, there), init);
        },
      }),
    deeds: () => readDeeds(basename(root)),
  };
}

const ANYWHERE = "http://anywhere.test";

/** The tables, and a token that every member knows. */
async function prepared(store: string, workspace: string): Promise<string> {
  const runtime = await createRuntime({ store: { postgres: store }, workspace, sealKey: KEY, env: {} });
  const { secret } = await runtime.services.tokens.create(SYSTEM_ACTOR, { actor: "ops", role: "admin" });
  await runtime.stop();
  return secret;
}
