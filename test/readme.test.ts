import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makePlace, type Place, serve } from "../packages/cli/test/support.ts";

// The README's own lines, run as a reader would run them. Only the address is another, so that no port need be free.
const ROOT = join(import.meta.dirname, "..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const ADDRESS = "http://127.0.0.1:4680";
/** The lines over HTTP need it, and not every machine has it. */
const CURL = spawnSync("curl", ["--version"]).status === 0;

/** The code blocks under a heading. */
function blocks(heading: string, language: string): string[] {
  const start = README.indexOf(`\n${heading}\n`);
  expect(start).toBeGreaterThan(0);
  const [section = ""] = README.slice(start + heading.length + 2).split(/\n##+ /, 1);
  return [...section.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, code = ""]) =>
    name === language ? [code] : [],
  );
}

/** Runs a command in the repository as someone at a terminal does, until it ends or has said what is waited for. */
async function run(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  enough?: RegExp,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, args, { cwd: ROOT, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const stop = (): void => {
    try {
      process.kill(-(child.pid ?? 0), "SIGINT");
    } catch {
      // It has ended.
    }
  };
  onTestFinished(stop);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
    if (enough?.test(stdout)) stop();
  });
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

let address = "";
const envOf = (place: Place) => ({ ...place.env, FAIRLEAD_DATA: place.data });

async function started(): Promise<Record<string, string>> {
  const place = makePlace();
  address = (await serve(place)).url;
  return envOf(place);
}

const shell = (script: string, env: Record<string, string>, enough?: RegExp) =>
  run("sh", ["-euc", script.replaceAll(ADDRESS, address)], env, enough);

describe("the README", () => {
  const cache = join(ROOT, "node_modules", ".cache");
  beforeAll(() => void mkdirSync(cache, { recursive: true }));

  test("the first five minutes are as it says", { timeout: 120_000 }, async () => {
    const env = await started();
    const lines = blocks("## Five minutes to the first result", "sh")[1]?.trim().split("\n") ?? [];
    expect(lines).toHaveLength(6);
    const told = new Map<string, string>();
    for (const line of lines) {
      const live = line.includes("tail all");
      let shown = false;
      // It shows what comes once it has come itself, whenever that is.
      const happening = async (): Promise<void> => {
        while (live && !shown) await shell(lines[0] ?? "", env);
      };
      const happens = happening();
      const { code, stdout, stderr } = await shell(line, env, live ? /turn_start[^]*turn_end/ : undefined);
      shown = true;
      await happens;
      if (!live && !line.includes("doctor"))
        expect([line, code, stderr]).toEqual([line, 0, expect.anything()]);
      told.set(line.split(/\s+/)[4] ?? "", stdout);
    }
    expect(told.get("sessions")).toMatch(/ses_\w+ /);
    expect(told.get("tail")).toMatch(/turn_start/);
    expect(told.get("verify")).toMatch(/are what was written/);
    expect(told.get("doctor")).toMatch(/^ok {4}node/m);
  });

  test.skipIf(!CURL)(
    "the lines over HTTP make a token, a session and a turn, and show it",
    { timeout: 60_000 },
    async () => {
      const env = await started();
      const [script = ""] = blocks("### Over HTTP", "sh");
      const { stdout, stderr } = await shell(`${script.trimEnd()}\n`, env, /"type":"turn_end"/);
      expect(stdout, stderr).toMatch(/^\{"session_id":"ses_\w+","turn_id":"trn_\w+","seq":\d+\}/);
      expect(stdout).toMatch(/^id: 1\ndata: \{/m);
    },
  );

  test("a token is the only thing on standard output", { timeout: 60_000 }, async () => {
    const env = await started();
    const [line = ""] = blocks("### Over HTTP", "sh")[0]?.split("\n") ?? [];
    expect(line).toMatch(/^TOKEN=/);
    const { stdout } = await shell(`${line}\nprintf %s "$TOKEN"`, env);
    expect(stdout).toMatch(/^flt_[\w-]+$/);
  });

  test("the TypeScript prints what happens, by number and name", { timeout: 60_000 }, async () => {
    const env = await started();
    const [line = ""] = blocks("### Over HTTP", "sh")[0]?.split("\n") ?? [];
    const { stdout: token } = await shell(`${line}\nprintf %s "$TOKEN"`, env);
    const [code = ""] = blocks("### From TypeScript", "ts");
    // Beside the packages, where a program of this repository finds them; no types are written in it.
    const folder = mkdtempSync(join(cache, "readme-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "example.mjs");
    writeFileSync(file, code.replaceAll(ADDRESS, address));
    const ran = await run(process.execPath, [file], { ...env, TOKEN: token });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const lines = ran.stdout.trim().split("\n");
    expect(lines.slice(0, 3)).toEqual(["1 session_state", "2 session_state", "3 turn_start"]);
    expect(lines.at(-1)).toMatch(/^\d+ completed$/);
    expect(ran.stdout).not.toContain("undefined");
  });
});
