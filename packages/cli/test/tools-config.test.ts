import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRuntime } from "../src/open-runtime.ts";
import { placeOf } from "../src/place.ts";
import { background, cli, makePlace } from "./support.ts";

const SERVERS = `tools:
  mcp:
    - { name: lost, command: [/no/such/command] }
    - { name: bare, command: [node], env: { TOKEN: "\${NOT_SET_HERE}" } }
    - { name: far, url: "http://127.0.0.1:1/mcp", headers_env: { Authorization: NOT_SET_EITHER } }
`;

const SAID = [
  /The server lost does not answer: .*\/no\/such\/command/,
  /The server bare does not answer: The environment variable NOT_SET_HERE is not set\./,
  /The server far does not answer: The environment variable NOT_SET_EITHER is not set\./,
];

describe("tools in the configuration", { timeout: 60_000 }, () => {
  it("that cannot be had are warned of by run, which answers all the same", async () => {
    const place = makePlace();
    writeFileSync(join(place.cwd, "fairlead.yaml"), SERVERS);
    const { code, stdout, stderr } = await cli(place, ["run", "Hello"]);
    expect(stdout).toContain("Answer to Hello.");
    expect(code).toBe(0);
    for (const said of SAID) expect(stderr).toMatch(said);
    expect(stderr).toContain("Warning: ");
  });

  it("that cannot be had are warned of by serve, as soon as it runs", async () => {
    const place = makePlace();
    writeFileSync(join(place.cwd, "fairlead.yaml"), SERVERS);
    const server = background(place, ["serve", "--port", "0"]);
    for (const said of SAID) await server.until(said);
    server.child.kill("SIGTERM");
    const { code, stdout } = await server.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("does not answer");
  });
});

describe("approvals in the configuration", () => {
  async function expiry(config: string): Promise<string | null | undefined> {
    const place = makePlace();
    const script = join(place.cwd, "script.json");
    const rounds = [[{ call: "shell", with: { command: "true" } }], [{ say: "Done." }]];
    writeFileSync(script, JSON.stringify({ rules: [{ rounds }] }));
    writeFileSync(join(place.cwd, "fairlead.yaml"), config);
    const env = { ...place.env, FAIRLEAD_SCRIPT: script };
    const host = { env, cwd: place.cwd, home: place.env["HOME"] ?? "", user: "tester", self: "fairlead" };
    const runtime = await openRuntime(host, placeOf(host, {}), { workspace: place.cwd });
    const { sessions, turns, questions } = runtime.services;
    const actor = { name: "tester", role: "admin", project: null, token_id: null } as const;
    const { session_id } = await sessions.create(actor, {});
    await turns.start(actor, session_id, { input: "Go" });
    for (;;) {
      const [question] = (await questions.list(actor, { session_id })).rows;
      if (question !== undefined) {
        await runtime.stop();
        return question.expires_at;
      }
      await new Promise<void>((resolve) => void setTimeout(resolve, 10));
    }
  }

  it("expire where it says so, and else stay open", { timeout: 60_000 }, async () => {
    const before = Date.now();
    const at = Date.parse((await expiry("approvals:\n  expires_ms: 3600000\n")) ?? "");
    expect(at).toBeGreaterThanOrEqual(before + 3_600_000);
    expect((await expiry("approvals: {}\n")) ?? null).toBeNull();
  });

  it.each(["approvals:\n  expires_ms: soon\n", "approvals:\n  expires: 5\n"])(
    "%j is refused, with its place",
    async (config) => {
      await expect(expiry(config)).rejects.toThrow(/fairlead\.yaml:\d+:\d+: approvals/);
    },
  );
});
