import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookHash } from "../../src/domain/hooks/hash.ts";
import { hook, hookPlace, sh } from "./support.ts";

type Put = ReturnType<typeof hookPlace>["put"];

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
