import type { Retriever } from "../ports/retrieval.ts";
import type { Tool } from "../ports/tool.ts";
import { builtin } from "./builtin.ts";
import { PASSAGES, PASSAGES_MOST, WINDOW_CHARS } from "./limits.ts";

export function retrieve(retriever: Retriever): Tool {
  return builtin({
    name: "retrieve",
    description:
      "Finds the passages of the workspace's text files that fit a description best, ranked, with file and line numbers. Use it to find where something is done; use local_search for an exact text.",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 2_000,
        description: "What is sought: words, names of functions, parts of paths.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: PASSAGES_MOST,
        description: `How many passages at most. Default ${PASSAGES}.`,
      },
    },
    required: ["query"],
    access: "read",
    effect: "none",
    timeoutMs: 120_000,
    checks: [({ query }) => (String(query).trim() === "" ? "query is empty." : undefined)],
    async run(args, { workspace, signal }) {
      const { query, limit = PASSAGES } = args as unknown as Arguments;
      const found = await retriever.retrieve(workspace, query, { limit, chars: WINDOW_CHARS, signal });
      const { citations, pack, text } = found;
      return {
        // The texts are in the event beside it, and told.
        result: { citations: citations.map(({ text: _, ...where }) => where), context_pack: pack },
        text: text === "" ? `Nothing fits (${pack.indexed_files} files searched).` : text,
        events: [
          {
            type: "runtime.retrieval.completed",
            data: {
              query,
              citations: citations.map((citation) => ({ ...citation })),
              context_pack: { ...pack, source: "tool" },
            },
          },
        ],
      };
    },
  });
}

interface Arguments {
  readonly query: string;
  readonly limit?: number;
}
