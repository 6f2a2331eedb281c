import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { openSandbox } from "../../src/host/open-sandbox.ts";
import { tree } from "./support.ts";
import { house, put, reasonToSkip, say, treeElsewhere } from "./sandbox-support.ts";

const reason = await reasonToSkip();

describe.skipIf(reason !== undefined)(`a command in bubblewrap${reason ? `: ${reason}` : ""}`, () => {
  it("writes to the workspace, and what it wrote stays", async () => {
    using t = treeElsewhere();
    const sandbox = await openSandbox(house(t).options);
    const { exit_code, stdout } = await say(sandbox, "pwd; echo kept > made.txt", t.context());
    expect([exit_code, stdout]).toEqual([0, `${t.workspace}\n`]);
    expect(readFileSync(join(t.workspace, "made.txt"), "utf8")).toBe("kept\n");
  });

  it("sees neither our data nor tokens nor keys, by name or through a link", async () => {
    using t = treeElsewhere();
    const { home, data, options } = house(t);
    symlinkSync(join(data, "log.sqlite"), join(t.workspace, "link"));
    const sandbox = await openSandbox(options);
    const places = [`${data}/log.sqlite`, `${home}/.ssh/id_ed25519`, `${home}/.config/fairlead/token`];
    for (const path of [...places, "link"]) {
      const { exit_code, stderr } = await say(sandbox, `cat ${path}`, t.context());
      expect([exit_code, stderr]).toEqual([1, expect.stringContaining("No such file")]);
    }
    expect((await say(sandbox, `cat ${home}/.netrc`, t.context())).stdout).toBe("");
    const all = await say(sandbox, `grep -rs PRIVATE ${t.outside}; ls -A ${data}`, t.context());
    expect(all.stdout).toBe("");
  });

  it("reads the rest of the machine and writes nothing there", async () => {
    using t = treeElsewhere();
    const { home, options } = house(t);
    const sandbox = await openSandbox(options);
    expect((await say(sandbox, `cat ${home}/notes.txt`, t.context())).stdout).toBe("open\n");
    for (const path of [`${home}/notes.txt`, `${home}/new`, `${t.outside}/new`, "/etc/new", "/usr/bin/new"]) {
      const { exit_code, stderr } = await say(sandbox, `echo x >> ${path}`, t.context());
      expect([path, exit_code, stderr]).toEqual([path, 1, expect.stringContaining("Read-only file system")]);
    }
    expect(readFileSync(join(home, "notes.txt"), "utf8")).toBe("open\n");
  });

  it("has a /tmp of its own, new each time", async () => {
    using t = treeElsewhere();
    const sandbox = await openSandbox(house(t).options);
    const first = await say(sandbox, 'touch /tmp/mine && echo "$TMPDIR"; ls -A /tmp | wc -l', t.context());
    expect(first.stdout).toMatch(/^\/tmp\n\d+\n$/);
    expect((await say(sandbox, "ls /tmp/mine", t.context())).exit_code).not.toBe(0);
    expect(existsSync("/tmp/mine")).toBe(false);
  });

  it("sees no process but its own, and so no environment of ours", async () => {
    using t = treeElsewhere();
    const sandbox = await openSandbox(house(t).options);
    const { stdout } = await say(sandbox, "ls /proc | grep -c '^[0-9]'; cat /proc/1/comm", t.context());
    const [count, first] = stdout.split("\n");
    expect(Number(count)).toBeLessThan(10);
    expect(first).toBe("bwrap");
    expect((await say(sandbox, `kill -0 ${process.pid}`, t.context())).exit_code).not.toBe(0);
  });

  it("cannot take the mounts away that hide things", async () => {
    using t = treeElsewhere();
    const { data, options } = house(t);
    const sandbox = await openSandbox(options);
    const tricks = [
      `umount -l ${data}`,
      "mount -o remount,rw /",
      `unshare -Urm umount -l ${data}`,
      `unshare -Urm sh -c 'umount -l ${data}; cat ${data}/log.sqlite'`,
    ];
    for (const trick of tricks) {
      const { exit_code, stdout } = await say(sandbox, trick, t.context());
      expect([trick, exit_code === 0, stdout]).toEqual([trick, false, ""]);
    }
    expect((await say(sandbox, "grep CapEff /proc/self/status", t.context())).stdout).toMatch(/\t0+\n$/);
  });

  it("finds no way in by renaming what leads to a hidden place in the workspace", async () => {
    using t = treeElsewhere();
    const data = join(t.workspace, "deep/er/data");
    put(join(data, "log.sqlite"), "PRIVATE");
    const sandbox = await openSandbox(house(t, { hidden: [data] }).options);
    expect((await say(sandbox, "ls -A deep/er/data; echo x > deep/own.txt", t.context())).stdout).toBe("");
    for (const move of ["mv deep else", "mv deep/er deep/else", "mv deep/er/data data2", "rm -rf deep"])
      expect((await say(sandbox, move, t.context())).exit_code).not.toBe(0);
    expect((await say(sandbox, "grep -rs PRIVATE .", t.context())).stdout).toBe("");
    expect(readFileSync(join(data, "log.sqlite"), "utf8")).toBe("PRIVATE");
    expect((await say(sandbox, "touch deep/er/data/x", t.context())).stderr).toContain("Read-only");
  });

  it("works in a workspace that lies in /tmp, whose other things are hidden", async () => {
    using t = tree();
    put(join(t.outside, "other"), "x");
    const sandbox = await openSandbox(house(t).options);
    const { stdout } = await say(sandbox, "echo x > made; ls -A ..", t.context());
    expect(stdout).toBe("workspace\n");
    expect(existsSync(join(t.workspace, "made"))).toBe(true);
  });

  it("works in a workspace that lies in the data directory, whose other things are hidden", async () => {
    using t = treeElsewhere();
    const { data, options } = house(t);
    const workspace = join(data, "work");
    mkdirSync(workspace);
    const sandbox = await openSandbox({ ...options, workspace });
    const where = { ...t.context(), workspace };
    expect(await say(sandbox, "echo x > made; ls -A ..", where)).toMatchObject({
      exit_code: 0,
      stdout: "work\n",
    });
    expect(existsSync(join(workspace, "made"))).toBe(true);
  });

  it("reads our configuration in the workspace, and cannot change or replace it", async () => {
    using t = treeElsewhere();
    const config = t.put("fairlead.yaml", "tools: {}\n");
    const { options } = house(t, { fixed: [config, join(t.workspace, "missing.yaml")] });
    const sandbox = await openSandbox(options);
    expect((await say(sandbox, "cat fairlead.yaml", t.context())).stdout).toBe("tools: {}\n");
    for (const command of ["echo x > fairlead.yaml", "rm -f fairlead.yaml", "mv fairlead.yaml x"])
      expect((await say(sandbox, command, t.context())).exit_code).not.toBe(0);
    expect(readFileSync(config, "utf8")).toBe("tools: {}\n");
    expect(existsSync(join(t.workspace, "missing.yaml"))).toBe(false);
  });

  it("reaches the network only where that is allowed", async () => {
    using t = treeElsewhere();
    const server = createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const call = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    const { options } = house(t);
    const allowed = await openSandbox({ ...options, network: "allow" });
    expect((await say(allowed, call, t.context())).stdout).toBe("hello\n");
    const denied = await openSandbox({ ...options, network: "deny" });
    const { exit_code, stdout, stderr } = await say(denied, call, t.context());
    expect([exit_code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Connection refused");
    server.close();
  });
});
