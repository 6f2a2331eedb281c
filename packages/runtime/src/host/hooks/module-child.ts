// Runs one hook that is a module, in a process of its own: what it exports is called with what is read, and its answer
// is printed. Nothing but this module and what comes with Node is loaded: nobody has trusted anything else.
import { isBuiltin, registerHooks } from "node:module";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const url = pathToFileURL(process.argv[2] ?? "").href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === url || isBuiltin(specifier)) return next(specifier, context);
    throw new Error(
      `A hook can import only what comes with Node, and this one imports ${specifier}. Put all of it into one file.`,
    );
  },
});

// What it prints for people is not taken for its answer.
for (const name of ["log", "info", "debug"] as const) console[name] = console.error;

async function answered(): Promise<string> {
  const event: unknown = JSON.parse(await text(process.stdin));
  const { default: hook } = (await import(url)) as { readonly default?: unknown };
  if (typeof hook !== "function") throw new Error("The module has no default export that is a function.");
  const answer: unknown = await (hook as (event: unknown) => unknown)(event);
  return JSON.stringify(answer ?? {});
}

try {
  const answer = await answered();
  // It has answered: what it left running must not keep the turn waiting.
  process.stdout.write(`${answer}\n`, () => process.exit(0));
} catch (error) {
  // The sentence alone: it is read in a transcript.
  process.stderr.write(
    `${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`,
    () => process.exit(1),
  );
}
