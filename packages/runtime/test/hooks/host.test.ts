import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { verdictOf } from "../../src/domain/hooks/answer.ts";
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
