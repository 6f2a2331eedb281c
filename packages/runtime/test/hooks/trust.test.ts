import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookDefinition } from "../../src/ports/hook.ts";
import { model, type Scene, writer } from "../golden/scene.ts";
import { ADMIN, actor, codeOf, errorOf } from "../support/world.ts";
import { dataOf, hook, hookLines, hookPlace, hookScene, rowOf, sh, systemEvents, trust } from "./support.ts";

const CALLS = {
  models: [model({ rounds: [[{ call: "change", with: { what: "the flag" } }], [{ say: "Done." }]] })],
  tools: [writer],
};

const ADA = actor("operator", "ada");
const BOB = actor("viewer", "bob");

describe("the list of hooks", () => {
  it("says what each would run, and who trusted it", async () => {
    const place = hookPlace();
    place.put("check.sh", "#!/bin/sh\n");
    const hooks = [
      hook({ name: "one", command: ["./check.sh", "--strict"], tools: ["shell"] }),
      hook({ name: "two", on: "turn_end", module: "./gone.ts", blocking: false, timeout_ms: 5 }),
    ];
    const play = await hookScene(place, hooks);
    const { hooks: service } = play.w.services;
    expect(await service.list(BOB)).toEqual([
      {
        name: "one",
        on: "before_tool",
        tools: ["shell"],
        command: ["./check.sh", "--strict"],
        module: null,
        blocking: true,
        timeout_ms: 60_000,
        state: "untrusted",
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        problem: null,
        program: null,
        files: [{ path: "./check.sh", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 10 }],
        trusted_hash: null,
        trusted_by: null,
        trusted_at: null,
      },
      expect.objectContaining({
        name: "two",
        on: "turn_end",
        state: "unusable",
        hash: null,
        problem: "There is no file ./gone.ts.",
      }),
    ]);
    const { hash } = rowOf(await service.list(ADA), "one");
    await service.trust(ADA, "one", hash as string);
    expect(rowOf(await service.list(BOB), "one")).toMatchObject({
      state: "trusted",
      trusted_hash: hash,
      trusted_by: "ada",
      trusted_at: "2026-01-01T00:00:00.000Z",
    });
    place.put("check.sh", "#!/bin/sh\nexit 1\n");
    expect(rowOf(await service.list(BOB), "one")).toMatchObject({ state: "changed", trusted_by: "ada" });
    expect(await service.problems()).toEqual([
      "The hook one has changed since ada trusted it. It blocks until someone does: `fairlead hooks trust one`.",
      "The hook two cannot be run: There is no file ./gone.ts.",
    ]);
  });

  it("shows the text of the files to whoever may trust them, without secrets", async () => {
    const place = hookPlace();
    place.put("check.sh", "#!/bin/sh\nexport KEY=ghp_x9Kq2LmZ7vBt4RwYc8NdPe3HsGj6UaTf5Qi1\n");
    place.put("binary", "a\0b");
    place.put("long.txt", "y".repeat(100_000));
    const play = await hookScene(place, [hook({ command: ["./check.sh", "binary", "long.txt"] })]);
    const { hooks: service } = play.w.services;
    const { files } = await service.get(ADA, "guard");
    expect(files[0]?.text).toMatch(/^#!\/bin\/sh\nexport KEY=/);
    expect(files[0]?.text).not.toContain("x9Kq2LmZ7");
    expect(files[1]?.text).toBeNull();
    expect(files[2]?.text).toMatch(/y\n… 34464 bytes more …\n$/);
    expect(await codeOf(service.get(BOB, "guard"))).toBe("forbidden");
    expect(await codeOf(service.get(ADA, "other"))).toBe("hook_not_found");
  });
});

describe("trust", () => {
  async function site(
    given: HookDefinition,
  ): Promise<Scene & { readonly place: ReturnType<typeof hookPlace> }> {
    const place = hookPlace();
    place.put("check.sh", "#!/bin/sh\necho ran >> hooked\n");
    return { ...(await hookScene(place, [given], CALLS)), place };
  }
  const scripted = () => site(hook({ command: ["./check.sh"] }));
  const hashOf = async ({ w }: Scene) => rowOf(await w.services.hooks.list(ADMIN)).hash as string;
  async function turn(play: Scene): Promise<readonly string[]> {
    const before = (await hookLines(play)).length;
    await play.start();
    await play.rest();
    return (await hookLines(play)).slice(before);
  }

  it("is an event of the installation, with who and what", async () => {
    const play = await scripted();
    const hash = await hashOf(play);
    await play.w.services.hooks.trust(ADA, "guard", hash);
    // Once is enough.
    await play.w.services.hooks.trust(ADA, "guard", hash);
    const events = await systemEvents(play);
    expect(dataOf(events, "runtime.hook.trusted")).toEqual([{ hook: "guard", hash, actor: "ada" }]);
    expect(await turn(play)).toEqual(["guard started", "guard completed"]);
    const [started, ended] = dataOf(await play.events(), "runtime.hook.event");
    expect([started?.["hash"], ended?.["hash"]]).toEqual([undefined, hash]);
  });

  it("is for what was seen: another hash trusts nothing", async () => {
    const play = await scripted();
    const seen = await hashOf(play);
    play.place.put("check.sh", "#!/bin/sh\necho evil\n");
    const error = await errorOf(play.w.services.hooks.trust(ADA, "guard", seen));
    expect([error.code, error.details["hash"]]).toEqual(["hook_changed", await hashOf(play)]);
    expect(rowOf(await play.w.services.hooks.list(ADA)).state).toBe("untrusted");
    expect(await turn(play)).toEqual(["guard blocked !"]);
  });

  it("is for people at the controls of every project", async () => {
    const play = await scripted();
    const hash = await hashOf(play);
    const { hooks } = play.w.services;
    for (const who of [
      BOB,
      actor("agent", "eve"),
      actor("operator", "kim", "website"),
      actor("admin", "lee", "website"),
    ]) {
      expect(await codeOf(hooks.trust(who, "guard", hash))).toBe("forbidden");
      expect(await codeOf(hooks.untrust(who, "guard"))).toBe("forbidden");
    }
    expect(rowOf(await hooks.list(ADA)).state).toBe("untrusted");
    expect(await codeOf(hooks.trust(ADA, "other", hash))).toBe("hook_not_found");
    expect(await codeOf(hooks.untrust(ADA, "other"))).toBe("hook_not_found");
    const gone = await site(hook({ module: "./gone.ts" }));
    expect(await codeOf(gone.w.services.hooks.trust(ADA, "guard", hash))).toBe("hook_unusable");
  });

  it("ends when it is taken back, which can be said twice", async () => {
    const play = await scripted();
    await trust(play, "guard");
    await play.w.services.hooks.untrust(ADA, "guard");
    await play.w.services.hooks.untrust(ADA, "guard");
    expect(dataOf(await systemEvents(play), "runtime.hook.untrusted")).toEqual([
      { hook: "guard", actor: "ada" },
    ]);
    expect(rowOf(await play.w.services.hooks.list(ADA))).toMatchObject({
      state: "untrusted",
      trusted_by: null,
    });
    expect(await turn(play)).toEqual(["guard blocked !"]);
  });

  const changes: readonly [string, (place: ReturnType<typeof hookPlace>) => void][] = [
    ["is written anew", ({ put }) => void put("check.sh", "#!/bin/sh\necho evil >> hooked\n")],
    [
      "is put in the place of the old one",
      ({ base, put }) =>
        renameSync(put("evil.sh", "#!/bin/sh\necho evil >> hooked\n"), join(base, "check.sh")),
    ],
    [
      "becomes a link",
      ({ base, put }) => {
        const evil = put("evil.sh", "#!/bin/sh\necho evil >> hooked\n");
        rmSync(join(base, "check.sh"));
        symlinkSync(evil, join(base, "check.sh"));
      },
    ],
    [
      "becomes a link to a program of the machine",
      ({ base }) => {
        rmSync(join(base, "check.sh"));
        symlinkSync("/bin/true", join(base, "check.sh"));
      },
    ],
    ["is gone", ({ base }) => rmSync(join(base, "check.sh"))],
  ];

  it.each(changes)("does not hold for a file that %s", async (_, change) => {
    const play = await scripted();
    await trust(play, "guard");
    expect(await turn(play)).toEqual(["guard started", "guard completed"]);
    change(play.place);
    const [last] = await turn(play);
    expect(last).toMatch(/^guard (blocked|failed) !$/);
    expect(readFileSync(join(play.place.workspace, "hooked"), "utf8")).toBe("ran\n");
    expect(dataOf(await play.events(), "agent.tool.outcome").map(({ status }) => status)).toEqual([
      "ok",
      "denied",
    ]);
  });

  it("does not hold for another definition of the same name", async () => {
    const place = hookPlace();
    const store = (await hookScene(place, [hook({ command: sh("exit 0") })], CALLS)).w;
    await trust({ w: store }, "guard");
    const again = await hookScene(place, [hook({ command: sh("touch evil") })], {
      ...CALLS,
      store: store.store,
      time: store.time,
      mark: "b",
    });
    expect(rowOf(await again.w.services.hooks.list(ADA))).toMatchObject({
      state: "changed",
      trusted_by: "root",
    });
    expect(await turn(again)).toEqual(["guard blocked !"]);
    const reason = dataOf(await again.events(), "runtime.hook.event")[0]?.["reason"];
    expect(reason).toBe(
      "It has changed since root trusted it, and was not run. Look at it and trust it: `fairlead hooks trust guard`.",
    );
  });

  it("cannot be said in a session's stream", async () => {
    const play = await scripted();
    const hash = await hashOf(play);
    const forged = { type: "runtime.hook.trusted", data: { hook: "guard", hash, actor: "ada" } } as const;
    await play.w.log.append({ writes: [{ stream: play.session, events: [forged] }] });
    expect(rowOf(await play.w.services.hooks.list(ADA)).state).toBe("untrusted");
    expect(await turn(play)).toEqual(["guard blocked !"]);
  });

  it("of an older version ends with that of a newer one", async () => {
    const play = await scripted();
    const file = join(play.place.base, "check.sh");
    const old = readFileSync(file);
    await trust(play, "guard");
    play.place.put("check.sh", "#!/bin/sh\nexit 0 # mended\n");
    await trust(play, "guard");
    writeFileSync(file, old);
    expect(rowOf(await play.w.services.hooks.list(ADA)).state).toBe("changed");
    expect(await turn(play)).toEqual(["guard blocked !"]);
  });
});
