import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { CockpitAssets, CockpitFile } from "./assets.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Reads what the build left in a directory. Throws when there is no page in it. */
export function loadCockpit(directory: string): CockpitAssets {
  const assets = join(directory, "assets");
  const names = readdirSync(assets).filter((name) => extname(name) in TYPES);
  return {
    document: fileOf(join(directory, "index.html"), false),
    files: new Map(names.map((name) => [name, fileOf(join(assets, name), true)])),
  };
}

function fileOf(path: string, immutable: boolean): CockpitFile {
  const identity = readFileSync(path);
  const packed = (suffix: string): Buffer | undefined =>
    existsSync(`${path}${suffix}`) ? readFileSync(`${path}${suffix}`) : undefined;
  const br = packed(".br");
  const gzip = packed(".gz");
  return {
    type: TYPES[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(identity).digest("base64url").slice(0, 27)}"`,
    immutable,
    bodies: { identity, ...(br === undefined ? {} : { br }), ...(gzip === undefined ? {} : { gzip }) },
  };
}
