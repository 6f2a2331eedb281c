import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verdictOf } from "../../src/domain/hooks/answer.ts";
import { loadConfig } from "../../src/host/config-file.ts";
import type { HookDefinition } from "../../src/ports/hook.ts";
import { model, writer } from "../golden/scene.ts";
import { hook, hookPlace, hookScene, sh, trust } from "./support.ts";

const PAGE = readFileSync(new URL("../../../../docs/hooks.md", import.meta.url), "utf8");

/** The first block of this language that has the text in it. */
function block(language: string, text: string): string {
  const blocks = [...PAGE.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  const found = blocks.find(([, name, code]) => name === language && code?.includes(text));
  if (found?.[2] === undefined) throw new Error(`docs/hooks.md has no ${language} with ${text}.`);
  return found[2];
}

describe("the page about hooks", () => {
  function site() {
    const place = hookPlace();
    place.put("fairlead.yaml", block("yaml", "hooks:"));
    place.put("hooks/no-force-push.sh", block("sh", "no-force-push.sh"));
    place.put("hooks/no-secrets.ts", block("ts", "no-secrets.ts"));
    const { hooks } = loadConfig({ cwd: place.base });
    const verdict = async (name: string, subject: object) => {
      const given = hooks.find((one) => one.name === name) as HookDefinition;
      return verdictOf(given, await place.run(given, `${JSON.stringify(subject)}\n`));
    };
    return { verdict };
  }

  it("has hooks that do what it says", async () => {
    const { verdict } = site();
    const push = (command: string) => verdict("no-force-push", { arguments: { command } });
    expect(await push("git push")).toEqual({ status: "completed" });
    expect(await push("git push --force")).toEqual({
      status: "blocked",
      reason: "Nobody pushes with force here.",
    });
    const told = (text: string) => verdict("no-secrets", { outcome: { status: "ok", text } });
    expect(await told("nothing")).toEqual({ status: "completed" });
    expect(await told("-----BEGIN PRIVATE KEY-----")).toMatchObject({ status: "blocked" });
  });

  it("shows what a hook after a tool is told", async () => {
    const place = hookPlace();
    const hooks = [hook({ on: "after_tool", command: sh("cat > seen.json") })];
    const models = [model({ rounds: [[{ call: "change", with: { what: "it" } }], [{ say: "Done." }]] })];
    const play = await hookScene(place, hooks, { models, tools: [writer] });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    const shown = JSON.parse(block("json", "after_tool")) as Record<string, object>;
    const told = JSON.parse(readFileSync(join(place.workspace, "seen.json"), "utf8")) as typeof shown;
    expect(Object.keys(told)).toEqual(Object.keys(shown));
    expect(Object.keys(told["outcome"] ?? {})).toEqual(Object.keys(shown["outcome"] ?? {}));
  });
});
