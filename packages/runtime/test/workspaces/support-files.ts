import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function write(root: string, path: string, text: string | Uint8Array, mode?: number): void {
  const place = join(root, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
  if (mode !== undefined) chmodSync(place, mode);
}
