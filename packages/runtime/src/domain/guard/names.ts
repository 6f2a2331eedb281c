import type { Tool } from "../../ports/tool.ts";
import { isOneTypo, nearest } from "./distance.ts";
import type { Found, GuardFault } from "./types.ts";
import { listed, shown } from "./words.ts";

/** In a shorter name one letter can be the whole difference, as between `cat` and `cut`. */
const SHORTEST_TO_MEND = 4;

/**
 * The tool that was meant by a name that no tool has. It is taken for another only where a single tool is one typo
 * away, or is spelt with other capitals, underscores, dashes or dots.
 */
export function resolveName(name: string, tools: readonly Tool[]): Found<Tool> {
  const close = tools.filter(({ spec }) => isVariant(name, spec.name) || isTypo(name, spec.name));
  const [only] = close;
  if (only !== undefined && close.length === 1)
    return { ok: true, value: only, repair: misspelt(`${shown(name)} was taken as "${only.spec.name}".`) };
  const names = tools.map(({ spec }) => spec.name);
  if (close.length > 1) {
    const candidates = close.map(({ spec }) => JSON.stringify(spec.name));
    return {
      ok: false,
      fault: misspelt(`There is no tool ${shown(name)}. Did you mean ${listed(candidates)}?`),
    };
  }
  const meant = nearest(name, names);
  if (meant !== undefined)
    return { ok: false, fault: misspelt(`There is no tool ${shown(name)}. Did you mean "${meant}"?`) };
  return { ok: false, fault: unknownTool(name, names) };
}

export function unknownTool(name: string, names: readonly string[]): GuardFault {
  const known = names.length === 0 ? "No tools are offered." : `The tools are ${listed(names, "and")}.`;
  return { kind: "unknown_tool", at: "", error: `There is no tool ${shown(name)}. ${known}` };
}

function misspelt(error: string): GuardFault {
  return { kind: "misspelt_name", at: "", error };
}

function isVariant(name: string, known: string): boolean {
  return folded(name) === folded(known);
}

/** Other digits are another thing, not a typo: `resize_v2` is not `resize_v1`. */
function isTypo(name: string, known: string): boolean {
  return (
    name.length >= SHORTEST_TO_MEND &&
    known.length >= SHORTEST_TO_MEND &&
    isOneTypo(name, known) &&
    digits(name) === digits(known)
  );
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-.\s]/g, "");
}

function digits(name: string): string {
  return name.replaceAll(/\D/g, "");
}
