import type { Sent } from "./case.ts";

/**
 * Stands in for the model in a round of repair. It reads the call and the guard's sentences, nothing else: not the
 * schema, not the question, not the right answer. So it mends what those two settle, and gives up on what only the
 * question could tell, such as a value that is missing.
 */
export function standIn(sent: Sent, errors: readonly string[]): Sent | undefined {
  const mended = errors.reduce<Sent | undefined>((call, error) => call && mend(call, error), sent);
  return mended === undefined || (mended.name === sent.name && mended.text === sent.text)
    ? undefined
    : mended;
}

function mend(sent: Sent, error: string): Sent | undefined {
  const meant = /Did you mean ("(?:[^"\\]|\\.)*")\?$/.exec(error)?.[1];
  if (error.startsWith("There is no tool"))
    return meant === undefined ? undefined : { ...sent, name: JSON.parse(meant) as string };
  if (error.startsWith("The arguments")) return complete(sent);
  const at = /^("(?:[^"\\]|\\.)*") /.exec(error)?.[1];
  if (at === undefined) return undefined;
  const args = JSON.parse(sent.text) as Record<string, unknown>;
  const key = JSON.parse(at) as string;
  if (!Object.hasOwn(args, key)) return error.includes(" is missing") ? sent : undefined;
  const { [key]: value, ...rest } = args;
  if (error.includes(" is not an argument here"))
    return {
      ...sent,
      text: JSON.stringify(meant === undefined ? rest : { ...rest, [JSON.parse(meant) as string]: value }),
    };
  const other = meant === undefined ? reread(value, error) : JSON.parse(meant);
  return other === undefined ? undefined : { ...sent, text: JSON.stringify({ ...args, [key]: other }) };
}

/** The same value as another type says it: out of its list, out of its text, without its unit. */
function reread(value: unknown, error: string): unknown {
  const wanted = /must be (.*), but/.exec(error)?.[1] ?? "";
  if (Array.isArray(value) && value.length === 1 && wanted !== "a list") return value[0];
  if (typeof value !== "string") return undefined;
  if (wanted === "a list" || wanted === "an object")
    return parsed(value) ?? (wanted === "a list" ? [value] : undefined);
  if (/an? (?:integer|number)/.test(wanted))
    return parsed(/^-?\d+(?:\.\d+)?(?= \w+$)/.exec(value)?.[0] ?? "");
  return undefined;
}

/** With the object alone, out of the text around it, and closed where only its last bracket is missing. */
function complete(sent: Sent): Sent | undefined {
  const inner = parsed(sent.text);
  const texts = [
    typeof inner === "string" ? inner : "",
    Array.isArray(inner) && inner.length === 1 ? JSON.stringify(inner[0]) : "",
    sent.text.slice(sent.text.indexOf("{"), sent.text.lastIndexOf("}") + 1),
    sent.text.replace(/\}\}$/, "}"),
    sent.text.replace(/^\{,/, "{"),
    `${sent.text}}`,
  ];
  const text = texts.find((one) => one.startsWith("{") && parsed(one) !== undefined);
  return text === undefined ? undefined : { ...sent, text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
