import { describe, expect, it } from "vitest";
import { verdictOf } from "../../src/domain/hooks/answer.ts";
import { hook, hookPlace } from "./support.ts";

describe("a module", () => {
  const verdict = async (source: string, file = "hook.ts") => {
    const place = hookPlace();
    place.put(file, source);
    place.put("beside.ts", "export default 1;\n");
    const given = hook({ module: file });
    return verdictOf(given, await place.run(given, '{"tool_name":"shell"}\n'));
  };

  it.each([
    ["says nothing", "export default async () => {};", "hook.ts"],
    ["says nothing, in plain JavaScript", "export default () => ({});", "hook.js"],
    [
      "goes on",
      "export default async (event: { tool_name: string }) => ({ decision: 'continue' });",
      "hook.mts",
    ],
    [
      "prints what is for people",
      "console.log('hi'); export default () => { console.info('there'); };",
      "hook.ts",
    ],
    ["keeps something open", "setInterval(() => {}, 1000); export default () => ({});", "hook.ts"],
    [
      "uses what comes with Node",
      "import { readFileSync } from 'node:fs'; export default () => { readFileSync; };",
      "hook.ts",
    ],
    ["is of the old kind", "module.exports = () => ({});", "hook.cjs"],
  ])("that %s lets things go on", async (_, source, file) => {
    expect(await verdict(source, file)).toEqual({ status: "completed" });
  });

  it("blocks, with what it was told", async () => {
    const source =
      "export default (event: any) => ({ decision: 'block', reason: `No ${event.tool_name}.` });";
    expect(await verdict(source)).toEqual({ status: "blocked", reason: "No shell." });
  });

  it.each([
    ["throws", "export default () => { throw new Error('Broken.'); };", /exit code 1.*Broken\./s],
    ["exports nothing", "export const hook = () => ({});", /no default export/],
    ["never answers", "export default () => new Promise(() => {});", /exit code 13/],
    ["leaves before it answers", "export default () => process.exit(0);", /It gave no answer/],
    ["does not parse", "export default (", /exit code 1/],
    ["answers something else", "export default () => 'fine';", /no answer: "fine"/],
    ["prints beside its answer", "export default () => { process.stdout.write('x'); };", /no answer/],
    [
      "imports a file",
      "import './beside.ts'; export default () => ({});",
      /only what comes with Node.*beside/s,
    ],
    ["imports a file later", "export default () => import(`./${'beside'}.ts`);", /only what comes with Node/],
    ["imports a package", "import 'zod'; export default () => ({});", /only what comes with Node.*zod/s],
    [
      "imports code from a text",
      "export default () => import('data:text/javascript,1');",
      /only what comes with Node/,
    ],
  ])("that %s has failed", async (_, source, reason) => {
    const { status, reason: said } = await verdict(source);
    expect(status).toBe("failed");
    expect(said).toMatch(reason);
  });

  it("cannot bring in other code by require either", async () => {
    const { status, reason } = await verdict(
      "module.exports = () => { require('./beside.ts'); return {}; };",
      "hook.cjs",
    );
    expect(status).toBe("failed");
    expect(reason).toMatch(/only what comes with Node/);
  });
});
