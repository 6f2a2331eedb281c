import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { verdictOf } from "../../src/domain/hooks/answer.ts";
import { hookHash } from "../../src/domain/hooks/hash.ts";
import { hook, hookPlace, sh } from "./support.ts";

/** A process is gone, or is a zombie that nobody has looked at. */
function isGone(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return true;
  }
}

describe("the process of a hook", () => {
  it("runs in the workspace, reads one line, and leaves no copy behind", async () => {
    const place = hookPlace();
    place.put("check.sh", '#!/bin/sh\nread line\necho "$line" > heard\npwd > where\necho "$1" > argument\n');
    const ran = await place.run(hook({ command: ["./check.sh", "two words"] }), '{"a":1}\n');
    expect(ran).toMatchObject({ kind: "exited", code: 0 });
    const said = (name: string) => readFileSync(join(place.workspace, name), "utf8").trim();
    expect([said("heard"), said("where"), said("argument")]).toEqual([
      '{"a":1}',
      place.workspace,
      "two words",
    ]);
    expect(place.left()).toEqual([]);
  });

  it("sees no token, no key and nothing else of our environment", async () => {
    const place = hookPlace({
      PATH: process.env["PATH"],
      HOME: "/home/nobody",
      FAIRLEAD_TOKEN: "flt_secret",
      FAIRLEAD_SEAL_KEY: "c2VjcmV0",
      ANTHROPIC_API_KEY: "sk-ant-secret",
      NODE_OPTIONS: "--require /tmp/evil.js",
      LD_PRELOAD: "/tmp/evil.so",
    });
    await place.run(hook({ command: sh("env > environment") }));
    const seen = readFileSync(join(place.workspace, "environment"), "utf8");
    expect(seen).toContain("HOME=/home/nobody");
    expect(seen).not.toMatch(/secret|evil|c2VjcmV0/);
    place.put(
      "look.ts",
      "import { writeFileSync } from 'node:fs';\nexport default () => { writeFileSync('environment', JSON.stringify(process.env)); };\n",
    );
    await place.run(hook({ module: "look.ts" }));
    const module = readFileSync(join(place.workspace, "environment"), "utf8");
    expect(module).toContain("/home/nobody");
    expect(module).not.toMatch(/secret|evil|c2VjcmV0/);
  });

  it("that takes too long is ended with all that it started, also what left its group", async () => {
    const place = hookPlace();
    const script =
      "trap '' TERM; sleep 600 & echo $! > a; setsid sleep 600 & echo $! > b; echo $$ > c; wait; wait; sleep 600";
    const slow = hook({ command: sh(script), timeout_ms: 3_000 });
    const ran = await place.run(slow);
    expect(verdictOf(slow, ran)).toMatchObject({
      status: "timed_out",
      reason: "It took longer than 3000 ms and was ended.",
    });
    for (const name of ["a", "b", "c"])
      expect(isGone(readFileSync(join(place.workspace, name), "utf8").trim())).toBe(true);
    expect(place.left()).toEqual([]);
  });

  it("leaves nothing running that it started in the background", async () => {
    const place = hookPlace();
    const ran = await place.run(hook({ command: sh("sleep 600 & echo $! > a; exit 0") }));
    expect(ran).toMatchObject({ kind: "exited", code: 0 });
    expect(isGone(readFileSync(join(place.workspace, "a"), "utf8").trim())).toBe(true);
  });

  it("that says more than is read has not answered, and costs no memory", async () => {
    const place = hookPlace();
    const loud = hook({ command: sh("head -c 50000000 /dev/zero | tr '\\0' x") });
    const ran = await place.run(loud);
    expect(ran.kind === "exited" && ran.stdout.text.length).toBeLessThan(100_000);
    expect(verdictOf(loud, ran)).toEqual({ status: "failed", reason: "It said more than is read." });
  });

  it("need not read what it is told", async () => {
    const place = hookPlace();
    const ran = await place.run(hook({ command: sh("exec <&-; exit 0") }), `"${"x".repeat(5_000_000)}"\n`);
    expect(ran).toMatchObject({ kind: "exited", code: 0 });
  });

  it("is not started once the turn is stopped", async () => {
    const place = hookPlace();
    const ran = await place.run(hook({ command: sh("touch started") }), "{}\n", AbortSignal.abort());
    expect(ran).toEqual({ kind: "stopped" });
    expect(existsSync(join(place.workspace, "started"))).toBe(false);
  });

  it("that cannot be started says why", async () => {
    const place = hookPlace();
    place.put("odd", "#!/no/such/interpreter\n");
    const odd = hook({ command: ["./odd"] });
    expect(verdictOf(odd, await place.run(odd)).reason).toMatch(/^It could not be started: .*ENOENT/);
  });
});

describe("what is run", () => {
  it("are the bytes that were read, whatever lies there by then", async () => {
    const place = hookPlace();
    place.put("check.sh", "#!/bin/sh\necho good > which\n");
    place.put("rules.sh", "echo good >> which\n");
    const given = hook({ command: ["./check.sh"] });
    const argument = hook({ command: ["/bin/sh", "rules.sh"] });
    const [first, second] = [await place.load(given), await place.load(argument)];
    place.put("check.sh", "#!/bin/sh\necho evil > which\n");
    place.put("rules.sh", "echo evil >> which\n");
    const { signal } = new AbortController();
    await first.run("{}\n", signal);
    await second.run("{}\n", signal);
    expect(readFileSync(join(place.workspace, "which"), "utf8")).toBe("good\ngood\n");
  });

  it("is bound by its bytes where agents work, and by its place elsewhere", async () => {
    const place = hookPlace();
    place.put("check.sh", "#!/bin/sh\n");
    writeFileSync(join(place.workspace, "data.txt"), "in the workspace");
    const own = await place.load(hook({ command: ["./check.sh", "data.txt", "no-file"] }));
    expect(own.program).toBeUndefined();
    expect(own.files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ["./check.sh", 10],
      ["data.txt", 16],
    ]);
    const other = await place.load(hook({ command: ["sh", "-c", "exit 0"] }));
    expect(other.program).toMatch(/^\/.*sh$/);
    expect(other.files).toEqual([]);
  });

  it.each([
    ["the script", (put: Put) => put("check.sh", "#!/bin/sh\nexit 1\n")],
    ["a file among its arguments", (put: Put) => put("rules.json", "[]")],
    ["a file that appears where an argument was a word", (put: Put) => put("word", "now a file")],
  ])("has another hash after a change of %s", async (_, change) => {
    const place = hookPlace();
    place.put("check.sh", "#!/bin/sh\nexit 0\n");
    place.put("rules.json", "{}");
    const given = hook({ command: ["./check.sh", "rules.json", "word"] });
    const before = await place.hash(given);
    expect(await place.hash(given)).toBe(before);
    change(place.put);
    expect(await place.hash(given)).not.toBe(before);
  });

  it.each([
    ["name", { name: "other" }],
    ["point", { on: "after_tool" as const }],
    ["tools", { tools: ["shell"] }],
    ["command", { command: sh("exit 1") }],
    ["blocking", { blocking: false }],
    ["timeout", { timeout_ms: 5 }],
  ])("has another hash with another %s", async (_, change) => {
    const place = hookPlace();
    const given = hook({ command: sh("exit 0") });
    expect(await place.hash({ ...given, ...change })).not.toBe(await place.hash(given));
  });

  it("is what a link leads to: a link that leads elsewhere is another hook", async () => {
    const place = hookPlace();
    const [good, evil] = [
      place.put("good.sh", "#!/bin/sh\n"),
      place.put("evil.sh", "#!/bin/sh\nexit 0 # evil\n"),
    ];
    const link = join(place.base, "hook.sh");
    symlinkSync(good, link);
    const given = hook({ command: ["./hook.sh"] });
    const before = await place.hash(given);
    rmSync(link);
    symlinkSync(evil, link);
    expect(await place.hash(given)).not.toBe(before);
    rmSync(link);
    symlinkSync("/bin/sh", link);
    const outside = await place.load(given);
    expect(outside.files).toEqual([]);
    expect(await place.hash(given)).not.toBe(before);
  });

  it("is called as it was found, because it may go by that, and that is bound too", async () => {
    const place = hookPlace();
    const [one, two] = [join(place.base, "one"), join(place.base, "two")];
    for (const link of [one, two]) symlinkSync("/bin/sh", link);
    const given = hook({ command: ["./name", "-c", 'echo "$0" > called'] });
    symlinkSync(one, join(place.base, "name"));
    const { program } = await place.load(given);
    expect(program).toBe(`${join(place.base, "name")} -> ${realpathSync("/bin/sh")}`);
    await place.run(given);
    expect(readFileSync(join(place.workspace, "called"), "utf8").trim()).toBe(join(place.base, "name"));
    // The same program, found elsewhere.
    const [first, second] = [
      hookPlace({ PATH: place.base }),
      hookPlace({ PATH: `${place.workspace}:${place.base}` }),
    ];
    const byName = hook({ command: ["one", "-c", "exit 0"] });
    expect(await second.hash(byName)).toBe(await first.hash(byName));
    symlinkSync("/bin/sh", join(place.workspace, "one"));
    expect(await second.hash(byName)).not.toBe(await first.hash(byName));
  });

  it("is another program when another is found first along PATH", async () => {
    const place = hookPlace({ PATH: "/usr/bin:/bin" });
    const given = hook({ command: ["sh", "-c", "exit 0"] });
    const before = await place.hash(given);
    const elsewhere = hookPlace({ PATH: `${place.workspace}:.:/usr/bin:/bin` });
    expect(await elsewhere.hash(given)).toBe(before);
    symlinkSync("/bin/true", join(place.workspace, "sh"));
    expect(await elsewhere.hash(given)).not.toBe(before);
  });

  it("that is not there is a problem in words", async () => {
    const place = hookPlace();
    const problem = async (given: Parameters<typeof hook>[0]) => {
      const loaded = await place.host.load(hook(given));
      return loaded.ok ? undefined : loaded.problem;
    };
    expect(await problem({ command: ["no-such-program"] })).toBe("There is no program no-such-program.");
    expect(await problem({ command: ["./no.sh"] })).toBe("There is no program ./no.sh.");
    expect(await problem({ module: "./no.ts" })).toBe("There is no file ./no.ts.");
    expect(await problem({ module: "." })).toBe("There is no file ..");
    place.put("plain.sh", "echo not executable\n");
    expect(await problem({ command: ["./plain.sh"] })).toBe("There is no program ./plain.sh.");
  });
});

type Put = ReturnType<typeof hookPlace>["put"];

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

describe("copies that a killed process left", () => {
  it("are taken away by the next one, and those of a living one are not", async () => {
    const place = hookPlace();
    const dead = join(place.scratch, "999999999-abc", "0", "check.sh");
    const living = join(place.scratch, `${process.pid}-abc`, "0", "check.sh");
    for (const file of [dead, living]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "#!/bin/sh\n");
    }
    await place.run(hook({}));
    expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
  });
});

describe("a session that works in a place of its own", () => {
  it("has its hooks run there, with the same hash", async () => {
    const place = hookPlace();
    const given = hook({ command: ["/bin/sh", "check.sh", "no-file"] });
    place.put("check.sh", "pwd > where\n");
    const own = join(place.workspace, "../own");
    mkdirSync(own);
    const loaded = await place.host.load(given, own);
    if (!loaded.ok) throw new Error(loaded.problem);
    expect(hookHash(given, loaded.hook)).toBe(await place.hash(given));
    await loaded.hook.run("{}\n", new AbortController().signal);
    expect(readFileSync(join(own, "where"), "utf8").trim()).toBe(join(place.base, "../own"));
    // A file that the session puts where an argument would find it is not what was trusted.
    writeFileSync(join(own, "no-file"), "evil");
    const again = await place.host.load(given, own);
    if (!again.ok) throw new Error(again.problem);
    expect(hookHash(given, again.hook)).not.toBe(await place.hash(given));
  });
});
