import { createHash } from "node:crypto";

/** What every provider takes. */
const LONGEST = 64;

/** `SERVER__tool` with only letters, digits, `_` and `-`. Names that would be the same, or too long, end in a hash. */
export function toolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Map(tools.map((tool) => [tool, `${clean(server)}__${clean(tool)}`]));
  const count = new Map<string, number>();
  for (const name of plain.values()) count.set(name, (count.get(name) ?? 0) + 1);
  return new Map(
    [...plain].map(([tool, name]) => [
      tool,
      name.length <= LONGEST && count.get(name) === 1 ? name : hashed(name, tool),
    ]),
  );
}

function clean(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, "_");
}

function hashed(name: string, tool: string): string {
  const hash = createHash("sha256").update(tool).digest("hex").slice(0, 8);
  return `${name.slice(0, LONGEST - 9)}_${hash}`;
}
