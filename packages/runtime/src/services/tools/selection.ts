import MiniSearch from "minisearch";
import type { Tool } from "../../ports/tool.ts";
import { isRecord } from "../../domain/is-record.ts";
import type { Offer } from "./types.ts";

/** Offered always: without them an agent can neither look nor say what it does. */
const CORE = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "list_files",
  "local_search",
  "retrieve",
  "shell",
  "update_tasks",
  "delegate",
]);
const METHOD = "bm25";
/** A query is a whole conversation's last words; more than this adds time and no meaning. */
const QUERY_CHARS = 4_000;

interface Ranked {
  readonly list: readonly Tool[];
  readonly index: MiniSearch;
}

/** Ranks tools by BM25 over name, description and parameters. Pure but for the index, which is kept while the list is the same. */
export function createSelection(
  most: number,
): (list: readonly Tool[], query: string, also: readonly string[]) => Offer {
  let ranked: Ranked | undefined;

  return (list, query, also) => {
    if (list.length <= most) return { tools: list, method: "all", scores: {} };
    if (ranked?.list !== list) ranked = { list, index: indexOf(list) };
    const found = ranked.index.search(query.slice(-QUERY_CHARS), {
      boost: { name: 3, parameters: 0.5 },
      prefix: (term) => term.length >= 4,
      combineWith: "OR",
    });
    const kept = new Set(also);
    const always = list
      .filter((tool) => kept.has(tool.spec.name) || isCore(tool))
      .map((tool) => tool.spec.name);
    const chosen = new Set(always);
    const scores: Record<string, number> = {};
    for (const { id, score } of found) {
      const name = String(id);
      if (!chosen.has(name) && chosen.size >= Math.max(most, always.length)) continue;
      chosen.add(name);
      scores[name] = Math.round(score * 1_000) / 1_000;
    }
    for (const name of chosen) scores[name] ??= 0;
    // In the order of the list, which stays the same from step to step: providers cache by prefix.
    return { tools: list.filter((tool) => chosen.has(tool.spec.name)), method: METHOD, scores };
  };
}

function isCore(tool: Tool): boolean {
  return tool.origin === "builtin" && CORE.has(tool.spec.name);
}

function indexOf(list: readonly Tool[]): MiniSearch {
  const index = new MiniSearch({ fields: ["name", "description", "parameters"], tokenize: words });
  index.addAll(
    list.map(({ spec }) => ({
      id: spec.name,
      name: spec.name,
      description: spec.description,
      parameters: parameterNames(spec.parameters).join(" "),
    })),
  );
  return index;
}

/** `createIssue_v2` is create, issue and v2. */
function words(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function parameterNames(schema: unknown): readonly string[] {
  return isRecord(schema) && isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
}
