import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/host/clock.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import { openTools } from "../../src/open-tools.ts";
import { openPlaces } from "../../src/open-workspaces.ts";
import { tree } from "./support.ts";

const ROOM = { limit: 8, chars: 12_000, signal: new AbortController().signal };

/** A workspace that is somebody's home, or lies in one. */
async function opened(homeOf: (t: ReturnType<typeof tree>) => string) {
  const t = tree();
  const home = homeOf(t);
  const secret = (path: string, text = "NEEDLE of a secret\n") => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  const tools = await openTools({
    config: ToolsConfig.parse({ sandbox: { mode: "none" } }),
    base: t.workspace,
    workspace: t.workspace,
    home,
    hidden: [],
    fixed: [],
    env: process.env,
    timers: systemTimers,
    version: "0",
    report: (problem) => expect.unreachable(problem),
  });
  onTestFinished(async () => {
    await tools.close();
    t[Symbol.dispose]();
  });
  async function call(name: string, args: Record<string, unknown>) {
    const asked = { tool_call_id: "call_1", name, arguments: JSON.stringify(args) };
    const guarded = await tools.check(asked, t.workspace);
    if (!guarded.ok) throw new Error(guarded.faults.map(({ error }) => error).join());
    return JSON.stringify(await tools.run(guarded.call, t.context()));
  }
  const cited = async () =>
    (await tools.retriever.retrieve(t.workspace, "needle", ROOM)).citations.map(({ path }) => path);
  return { t, home, secret, call, cited };
}

describe("secrets of a home that is the workspace", () => {
  const places = [".ssh/id_ed25519", ".aws/credentials", ".netrc", ".config/gh/hosts.yml", ".bash_history"];

  it.each(places)("are not open to file tools: %s", async (path) => {
    const { secret, call } = await opened((t) => t.workspace);
    const full = secret(path);
    const refused = " is not open to tools: keys, passwords and Fairlead's own data are kept from agents.";
    expect(await call("read_file", { path })).toContain(refused);
    expect(await call("local_search", { path, query: "needle" })).toContain(refused);
    expect(await call("write_file", { path, content: "x" })).toContain(refused);
    expect(await call("edit_file", { path, old_text: "NEEDLE", new_text: "x" })).toContain(refused);
    expect(readFileSync(full, "utf8")).toBe("NEEDLE of a secret\n");
  });

  it("are neither indexed, found nor listed, and what lies beside them is", async () => {
    const { t, secret, call, cited } = await opened((here) => here.workspace);
    for (const path of places) secret(path);
    t.put("notes.txt", "a needle\n");
    t.put(".config/app/settings", "a needle\n");
    expect((await cited()).toSorted()).toEqual([".config/app/settings", "notes.txt"]);
    const found = await call("local_search", { query: "needle" });
    expect(found).toContain("notes.txt");
    expect(found).not.toContain("NEEDLE");
    expect(await call("list_files", {})).not.toMatch(/\.ssh|\.aws|\.netrc/);
  });

  it("can be made by no tool where they are not there yet", async () => {
    const { t, call } = await opened((here) => here.workspace);
    expect(await call("write_file", { path: ".ssh/authorized_keys", content: "x" })).toContain("not open");
    expect(() => readFileSync(join(t.workspace, ".ssh/authorized_keys"))).toThrow(/ENOENT/);
  });

  it("are copied into no place of a session", async () => {
    const { t, home, secret } = await opened((here) => here.workspace);
    secret(".ssh/id_ed25519");
    t.put("notes.txt", "mine\n");
    const places = openPlaces(
      {
        store: "memory",
        workspaces: { directory: join(t.outside, "places"), isolate: "background", keepMs: 0 },
      },
      { env: { PATH: process.env["PATH"] }, clock: systemClock, home, own: [] },
    );
    const order = { id: "ws_one", session_id: "ses_1", source: t.workspace };
    await places?.workspaces.prepare(order);
    const root = places?.workspaces.pathOf(order.id) ?? "";
    expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("mine\n");
    expect(() => readFileSync(join(root, ".ssh/id_ed25519"))).toThrow(/ENOENT/);
  });
});

describe("a file of a workspace with a second name", () => {
  it("is refused where that is among the secrets of the home", async () => {
    const { t, secret, call, cited } = await opened((here) => join(here.outside, "home"));
    linkSync(secret(".ssh/id_ed25519"), join(t.workspace, "key.txt"));
    expect(await call("read_file", { path: "key.txt" })).toContain("key.txt is not open to tools");
    expect(await call("local_search", { query: "needle" })).not.toContain("NEEDLE");
    expect(await cited()).toEqual([]);
  });

  it("is refused as soon as it has that name, though others were looked at before", async () => {
    const { t, secret, call } = await opened((here) => join(here.outside, "home"));
    const [key, plain] = [secret(".ssh/id_ed25519"), t.put("plain.txt", "mine")];
    linkSync(plain, join(t.workspace, "twin.txt"));
    expect(await call("read_file", { path: "twin.txt" })).toContain("mine");
    linkSync(key, join(t.workspace, "key.txt"));
    expect(await call("read_file", { path: "key.txt" })).toContain("is not open to tools");
  });

  it("is read by name and searched, as package stores need it, and is not indexed", async () => {
    const { t, call, cited } = await opened((here) => join(here.outside, "home"));
    mkdirSync(join(t.outside, "store"));
    writeFileSync(join(t.outside, "store/index.d.ts"), "needle of a package\n");
    linkSync(join(t.outside, "store/index.d.ts"), join(t.workspace, "index.d.ts"));
    t.put("own.txt", "my needle\n");
    expect(await call("read_file", { path: "index.d.ts" })).toContain("needle of a package");
    expect(await call("local_search", { query: "needle" })).toContain("index.d.ts");
    expect(await cited()).toEqual(["own.txt"]);
  });

  it("leaves the index when it gets one", async () => {
    const { t, cited } = await opened((here) => join(here.outside, "home"));
    const own = t.put("own.txt", "my needle\n");
    expect(await cited()).toEqual(["own.txt"]);
    linkSync(own, join(t.outside, "elsewhere"));
    expect(await cited()).toEqual([]);
  });
});
