import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { EVENT_TYPES, eventSchema, openApi, ROUTES } from "@fairlead/contract";
import { errorsPage } from "./generate/errors-page.ts";
import { eventsPage } from "./generate/events-page.ts";
import { routesPage } from "./generate/routes-page.ts";

// Writes what is derived from the contract. With --check it writes nothing and names what is stale.

const ROOT = join(import.meta.dirname, "..");
const CONTRACT = "packages/contract";
const EVENT_SCHEMAS = `${CONTRACT}/schema/events`;

const files = new Map<string, string>([
  ["docs/reference/events.md", eventsPage()],
  ["docs/reference/errors.md", errorsPage()],
  ["docs/reference/routes.md", routesPage()],
  [`${CONTRACT}/schema/openapi.json`, json(openApi(ROUTES, version()))],
  ...EVENT_TYPES.map((type): [string, string] => [`${EVENT_SCHEMAS}/${type}.json`, json(eventSchema(type))]),
]);

const stale = [...files].filter(([file, text]) => read(file) !== text).map(([file]) => file);
const left = listed(EVENT_SCHEMAS).filter((file) => !files.has(file));

if (process.argv.includes("--check")) {
  for (const file of stale) console.error(`stale: ${file}`);
  for (const file of left) console.error(`no longer generated: ${file}`);
  if (stale.length + left.length > 0) {
    console.error("Run `npm run generate` and commit what it writes.");
    process.exitCode = 1;
  }
} else {
  for (const file of stale) write(file, files.get(file) ?? "");
  for (const file of left) rmSync(join(ROOT, file));
  console.log(`${files.size} files, ${stale.length} written, ${left.length} removed`);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function version(): string {
  const manifest = JSON.parse(read(`${CONTRACT}/package.json`) ?? "{}") as { version: string };
  return manifest.version;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(join(ROOT, file), "utf8");
  } catch {
    return undefined;
  }
}

function listed(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder)).map((name) => relative(ROOT, join(ROOT, folder, name)));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), text);
}
