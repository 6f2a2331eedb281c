import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runNode, runScript } from "./run.ts";

const USER = `
import { connect, createServer, inProcess } from "@fairlead/ahp";
import { serveUnix, unix } from "@fairlead/ahp/unix";
import { serveHttp, http } from "@fairlead/ahp/http";
import { serveWebSocket, websocket } from "@fairlead/ahp/websocket";
import "@fairlead/ahp/stdio";
import "@fairlead/ahp/url";
const server = createServer({ decide: () => ({ decision: "block", reason: "built" }) });
const u = await serveUnix(server, { path: process.argv[2] });
const h = await serveHttp(server);
const w = await serveWebSocket(server);
for (const way of [inProcess(server), unix({ path: u.path }), http({ url: h.url }), websocket({ url: w.url })]) {
  const client = await connect(way, { sessionId: "s", agentId: "a" });
  const { reason } = await client.decide("pre_action", {});
  console.log(way.name, reason);
  await client.close();
}
for (const one of [u, h, w]) await one.close();
`;

const TYPED_USER = `
import { connect, createServer, inProcess } from "@fairlead/ahp";
import type { ConfirmationDecision } from "@fairlead/ahp";
const client = await connect(inProcess(createServer({})), { sessionId: "s", agentId: "a" });
const payload = { session_id: "s", confirmation_type: "user_confirm", message: "m" } as const;
export const decided: ConfirmationDecision = await client.decide("confirmation", payload);
// @ts-expect-error no such decision
export const wrong: "allow" = decided.decision;
`;

const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ahp-built-"));
  mkdirSync(join(folder, "node_modules/@fairlead"), { recursive: true });
  for (const name of ["zod", "ws"]) symlinkSync(join(modules, name), join(folder, "node_modules", name));
  const { code, stdout, stderr } = await runScript("scripts/build.ts", [
    join(folder, "node_modules/@fairlead/ahp"),
  ]);
  expect(stdout + stderr).toBe("");
  expect(code).toBe(0);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the built package", { timeout: 60_000 }, () => {
  it("works from another folder in plain Node, without type stripping", async () => {
    writeFileSync(join(folder, "user.mjs"), USER);
    const path = join(folder, "user.sock");
    const ran = await runNode(["--no-experimental-strip-types", join(folder, "user.mjs"), path], {}, folder);
    expect(ran.stderr).toBe("");
    expect(ran.stdout).toBe("in-process built\nunix built\nhttp built\nwebsocket built\n");
  });

  it("has types that a user's compiler reads", async () => {
    writeFileSync(join(folder, "user.ts"), TYPED_USER);
    const settings = { module: "nodenext", target: "es2024", strict: true, noEmit: true, types: [] };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: settings, files: ["user.ts"] }),
    );
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const ran = await runNode([join(modules, "typescript-native/bin/tsc"), "-p", folder]);
    expect(ran.stdout).toBe("");
    expect(ran.code).toBe(0);
  });

  it("says what the sources say, and can be published", () => {
    const manifest = JSON.parse(
      readFileSync(join(folder, "node_modules/@fairlead/ahp/package.json"), "utf8"),
    ) as Record<string, unknown>;
    expect(manifest["private"]).toBeUndefined();
    expect(manifest["dependencies"]).toEqual({ zod: "4.6.7" });
    expect(manifest["exports"]).toMatchObject({
      ".": { types: "./lib/index.d.ts", default: "./lib/index.js" },
      "./websocket": { browser: { default: "./lib/websocket/browser.js" } },
    });
  });
});
