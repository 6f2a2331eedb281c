import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { looseDirectory } from "./data-directory.ts";
import { randomSecret, systemIds } from "./ids.ts";
import { hostPaths } from "./paths.ts";
import { createPrivate, privateDirectory, readPrivate, replacePrivate } from "./private-file.ts";
import { readScriptFile } from "./script-file.ts";
import { loadSealKey } from "./seal-key.ts";
import { findServer, listServers, removeServerFile, writeServerFile } from "./servers.ts";
import { systemTimers } from "./timers.ts";

const root = mkdtempSync(join(tmpdir(), "fairlead-host-"));
let dir = root;
let count = 0;
beforeEach(() => {
  dir = join(root, String(++count));
  mkdirSync(dir);
});
afterAll(() => rmSync(root, { recursive: true }));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("paths", () => {
  it("follow the environment", () => {
    expect(hostPaths({ env: {}, cwd: "/w", home: "/home/ada" })).toEqual({
      data: "/w/.fairlead",
      config: "/home/ada/.config/fairlead",
    });
    expect(hostPaths({ env: { FAIRLEAD_DATA: "d", XDG_CONFIG_HOME: "/x" }, cwd: "/w", home: "/h" })).toEqual({
      data: "/w/d",
      config: "/x/fairlead",
    });
    expect(
      hostPaths({ env: { XDG_CONFIG_HOME: "not/absolute", FAIRLEAD_DATA: "" }, cwd: "/w", home: "/h" })
        .config,
    ).toBe("/h/.config/fairlead");
  });

  it("keep keys out of the data and out of what agents work in, links followed", () => {
    expect(() => hostPaths({ env: { FAIRLEAD_DATA: "/h" }, cwd: "/w", home: "/h" })).toThrow(
      /inside the data directory/,
    );
    expect(() => hostPaths({ env: { FAIRLEAD_DATA: "/h/.config/fairlead" }, cwd: "/w", home: "/h" })).toThrow(
      /inside the data directory/,
    );
    expect(() => hostPaths({ env: {}, cwd: "/w", home: "/w/home", workspace: "." })).toThrow(
      /inside the workspace/,
    );
    expect(hostPaths({ env: {}, cwd: "/w", home: "/w/home" }).config).toBe("/w/home/.config/fairlead");
    expect(hostPaths({ env: {}, cwd: "/w", home: "/wide", workspace: "/w" }).config).toBe(
      "/wide/.config/fairlead",
    );
    expect(hostPaths({ env: {}, cwd: "/w", home: "/..w", workspace: "/w" }).config).toBe(
      "/..w/.config/fairlead",
    );
    mkdirSync(join(dir, "data"));
    symlinkSync(join(dir, "data"), join(dir, "home"));
    expect(() =>
      hostPaths({ env: { FAIRLEAD_DATA: join(dir, "data") }, cwd: "/w", home: join(dir, "home") }),
    ).toThrow(/inside the data directory/);
  });
});

describe("private files", () => {
  it("are for their owner only, and refused when they are not", () => {
    const path = join(dir, "deep", "file");
    createPrivate(path, "one");
    expect([modeOf(path), modeOf(join(dir, "deep"))]).toEqual(["600", "700"]);
    createPrivate(path, "two");
    expect(readPrivate(path)).toBe("one");
    replacePrivate(path, "three");
    expect([readPrivate(path), modeOf(path)]).toEqual(["three", "600"]);
    expect(readdirSync(join(dir, "deep"))).toEqual(["file"]);
    chmodSync(path, 0o640);
    expect(() => readPrivate(path)).toThrow(/open to other users \(mode 640\)/);
    chmodSync(path, 0o600);
    chmodSync(join(dir, "deep"), 0o755);
    expect(() => replacePrivate(path, "four")).toThrow(/open to other users \(mode 755\)/);
    expect(readPrivate(join(dir, "none"))).toBeUndefined();
    symlinkSync(path, join(dir, "link"));
    expect(() => readPrivate(join(dir, "link"))).toThrow(/cannot be read/);
  });
});

describe("directories", () => {
  it("for keys are refused where none can be made, instead of trying for ever", () => {
    for (const path of ["/proc/fairlead/servers", "/dev/null/fairlead"])
      expect(() => privateDirectory(path)).toThrow(/cannot be made/);
  });

  it("for data are refused when others can write there, and complained of when they can look", () => {
    expect(looseDirectory(join(dir, "none"))).toBeUndefined();
    chmodSync(dir, 0o700);
    expect(looseDirectory(dir)).toBeUndefined();
    chmodSync(dir, 0o750);
    expect(looseDirectory(dir)).toEqual({
      problem: `Other users can look into ${dir} (mode 750).`,
      mend: `Close it: chmod 700 ${dir}`,
    });
    for (const mode of [0o770, 0o722, 0o702, 0o777]) {
      chmodSync(dir, mode);
      expect(() => looseDirectory(dir)).toThrow(/Other users can write/);
    }
  });
});

describe("the seal key", () => {
  const config = () => join(dir, "config");

  it("is made once and kept", () => {
    const key = loadSealKey({ env: {}, config });
    expect(key).toHaveLength(32);
    expect(loadSealKey({ env: {}, config })).toEqual(key);
    expect(modeOf(join(config(), "seal.key"))).toBe("600");
  });

  it("comes from the environment before the file, in base64 or hex", () => {
    const key = Buffer.alloc(32, 5);
    const never = () => {
      throw new Error("asked for the file");
    };
    for (const text of [
      key.toString("base64"),
      key.toString("base64url"),
      key.toString("hex"),
      ` ${key.toString("hex")}\n`,
    ]) {
      expect(loadSealKey({ env: { FAIRLEAD_SEAL_KEY: text }, config: never })).toEqual(key);
    }
  });

  it("is refused when it is no key, or open to others", () => {
    expect(() => loadSealKey({ env: { FAIRLEAD_SEAL_KEY: "short" }, config })).toThrow(/32 bytes/);
    loadSealKey({ env: {}, config });
    const path = join(config(), "seal.key");
    chmodSync(path, 0o644);
    expect(() => loadSealKey({ env: {}, config })).toThrow(/open to other users/);
    chmodSync(path, 0o600);
    writeFileSync(path, "");
    expect(() => loadSealKey({ env: {}, config })).toThrow(/does not hold a key/);
    expect(readFileSync(path, "utf8")).toBe("");
  });
});

describe("server files", () => {
  it("lead the CLI to the server of an address or of some data, while it lives", () => {
    const config = join(dir, "config");
    expect(listServers(config)).toEqual([]);
    const one = { url: "http://127.0.0.1:4680", token: "flt_1", pid: process.pid, data: "/a" };
    const two = { url: "http://[::1]:4681", token: "flt_2", pid: process.pid, data: "/b" };
    const dead = { url: "http://localhost:1", token: "flt_3", pid: 2 ** 22 + 1, data: "/c" };
    for (const server of [one, two, dead]) writeServerFile(config, server);
    expect(readdirSync(join(config, "servers"))).toContain("127.0.0.1-4680.json");
    expect(modeOf(join(config, "servers", "127.0.0.1-4680.json"))).toBe("600");
    expect(listServers(config)).toEqual([one, two]);
    expect(findServer(config, { data: "/b" })).toEqual(two);
    expect(findServer(config, { url: "http://127.0.0.1:4680/" })).toEqual(one);
    expect(findServer(config, { data: "/c" })).toBeUndefined();
    removeServerFile(config, { ...one, pid: 1 });
    expect(findServer(config, { data: "/a" })).toEqual(one);
    removeServerFile(config, one);
    expect(findServer(config, { data: "/a" })).toBeUndefined();
    writeFileSync(join(config, "servers", "x-1.json"), "{", { mode: 0o600 });
    expect(listServers(config)).toEqual([two]);
  });
});

describe("the rest of the host", () => {
  it("makes ids and secrets that do not repeat", () => {
    const ids = systemIds(systemClock);
    const made = Array.from({ length: 1000 }, () => ids.next("event"));
    expect(new Set(made).size).toBe(1000);
    expect(made.toSorted()).toEqual(made);
    expect(randomSecret()).toMatch(/^[\w-]{43}$/);
    expect(randomSecret()).not.toBe(randomSecret());
  });

  it("waits, even for long, and can be told not to", async () => {
    let called = 0;
    const off = systemTimers.after(1, () => (called += 1));
    off();
    systemTimers.after(2 ** 40, () => (called += 1))();
    await new Promise<void>((resolve) => void (systemTimers.after(5, resolve), setTimeout(() => {}, 50)));
    expect(called).toBe(0);
  });

  it("reads the script that the environment names", () => {
    writeFileSync(join(dir, "s.json"), "{}");
    expect(readScriptFile({})).toBeUndefined();
    expect(readScriptFile({ FAIRLEAD_SCRIPT: join(dir, "s.json") })?.text).toBe("{}");
    expect(() => readScriptFile({ FAIRLEAD_SCRIPT: join(dir, "none") })).toThrow(/FAIRLEAD_SCRIPT/);
  });
});
