import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, makePlace } from "../../packages/cli/test/support.ts";

const root = (path: string) => new URL(`../../${path}`, import.meta.url);
const { parse } = createRequire(root("packages/runtime/package.json"))("yaml") as {
  parse(text: string, options: { merge: boolean }): unknown;
};

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly ports: readonly string[];
  readonly env_file: readonly { readonly path: string; readonly required: boolean }[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[]; readonly interval: string };
  readonly stop_grace_period: string;
  readonly depends_on: Readonly<Record<string, unknown>>;
}

const compose = parse(readFileSync(root("deploy/compose.yaml"), "utf8"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const ours = Object.values(compose.services).filter(({ image }) => image === "fairlead");
const unit = readFileSync(root("deploy/fairlead.service"), "utf8");
const settings = (name: string) =>
  unit.split("\n").flatMap((line) => (line.startsWith(`${name}=`) ? line.slice(name.length + 1) : []));

/** Only where systemd is. */
const ANALYZE = "/usr/bin/systemd-analyze";

const after = (words: readonly string[], flag: string) => words[words.indexOf(flag) + 1];

/** That the program takes these words is asked of the program. */
async function expectServes(words: readonly string[]): Promise<void> {
  expect(words[0]).toBe("serve");
  const { code, stdout } = await call(makePlace(), ["serve", "--help"]);
  expect(code).toBe(0);
  for (const flag of words.filter((word) => word.startsWith("--"))) expect(stdout).toContain(`${flag} `);
}

describe("the compose file", () => {
  it("has three equal processes that differ only in their port", async () => {
    expect(ours).toHaveLength(3);
    const ports = ours.map(({ command }) => after(command, "--port"));
    expect(new Set(ports).size).toBe(3);
    for (const [i, service] of ours.entries()) {
      const port = String(ports[i]);
      await expectServes(service.command);
      // Reached from this machine alone: what is beyond it comes through somebody's own proxy.
      expect(service.ports).toEqual([`127.0.0.1:${port}:${port}`]);
      expect(service.healthcheck).toMatchObject({ interval: "5s" });
      expect(service.healthcheck.test.join(" ")).toContain(`:${port}/readyz`);
      const same = (text: unknown) => JSON.parse(JSON.stringify(text).replaceAll(port, "PORT")) as unknown;
      expect(same(service)).toEqual(
        JSON.parse(JSON.stringify(ours[0]).replaceAll(String(ports[0]), "PORT")) as unknown,
      );
    }
  });

  it("gives them what they must share, waits for the database, and no longer than they take to hand over", () => {
    for (const { environment, volumes, stop_grace_period, command, depends_on } of ours) {
      expect(Object.keys(environment)).toEqual(["FAIRLEAD_STORE", "FAIRLEAD_SEAL_KEY"]);
      expect(environment["FAIRLEAD_STORE"]).toContain("@db:5432/fairlead");
      expect(depends_on).toEqual({ db: { condition: "service_healthy" } });
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(Number(after(command, "--drain")));
      expect(volumes).toContain("state:/var/lib/fairlead");
    }
    const named = Object.values(compose.services).flatMap(({ volumes }) =>
      volumes.map((volume) => volume.split(":")[0] as string).filter((name) => /^\w+$/.test(name)),
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
  });

  it("lets each have the keys of models, and starts without them", () => {
    for (const { env_file } of ours) expect(env_file).toEqual([{ path: "models.env", required: false }]);
    const docs = readFileSync(root("docs/operations.md"), "utf8");
    expect(docs).toMatch(/> models\.env/);
  });

  it("leaves files with secrets out of the repository and of the image", () => {
    const files = ["deploy/.env", `deploy/${ours[0]?.env_file[0]?.path}`];
    const { stdout } = spawnSync("git", ["check-ignore", "--no-index", ...files], {
      cwd: root("."),
      encoding: "utf8",
    });
    expect(stdout.trim().split("\n")).toEqual(files);
    const ignored = readFileSync(root("deploy/Dockerfile.dockerignore"), "utf8").split("\n");
    expect(ignored).toContain("**/*.env");
  });

  it("holds no secret", () => {
    const text = readFileSync(root("deploy/compose.yaml"), "utf8");
    for (const name of ["POSTGRES_PASSWORD", "FAIRLEAD_SEAL_KEY"]) {
      expect(text).toContain(`\${${name}:?`);
    }
  });
});

describe("the systemd unit", () => {
  it("starts what there is, and leaves it the time to hand over before all is killed", async () => {
    const [start = ""] = settings("ExecStart");
    const [, main = "", ...words] = start.split(" ");
    expect(readFileSync(root(main.replace("/opt/fairlead/", "")), "utf8")).not.toBe("");
    await expectServes(words);
    expect(Number(settings("TimeoutStopSec")[0])).toBeGreaterThan(Number(after(words, "--drain")));
    expect(settings("KillSignal")).toEqual(["SIGTERM"]);
    expect(settings("KillMode")).toEqual(["mixed"]);
    // Neither would the sandbox of commands start under these.
    expect(settings("RestrictNamespaces")).toEqual([]);
    expect(settings("ProtectKernelTunables")).toEqual([]);
  });

  it.skipIf(!existsSync(ANALYZE))("is one that systemd takes", () => {
    const dir = mkdtempSync(join(tmpdir(), "fairlead-unit-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const file = join(dir, "fairlead.service");
    // The program is not installed here where it says.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
    const { status, stderr } = spawnSync(ANALYZE, ["verify", file], { encoding: "utf8" });
    // Others may be wrong on this machine.
    const said = stderr.split("\n").filter((line) => line.includes("fairlead"));
    expect([status, said]).toEqual([0, []]);
  });
});
