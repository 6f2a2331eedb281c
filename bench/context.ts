import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../packages/runtime/src/host/clock.ts";
import { hostFiles } from "../packages/runtime/src/host/workspace-files.ts";
import { createRetriever } from "../packages/runtime/src/retrieval/retriever.ts";
import { compactMs } from "./context/compact.ts";
import { writeTree } from "./context/tree.ts";
import { median, percentile, round, table } from "./measure.ts";

const FILES = 5_000;
const QUERIES = [
  "where do we verify the lease before a commit",
  "parseHeader token",
  "expire session ledger",
  "queue worker retry limit",
  "render trace",
  "There is no cursor",
  "select_policy",
  "how is a packet encoded and sent",
  "grant decision",
  "src/window/apply",
];
const ROUNDS = 5;

/** Retrieval over a tree of 5,000 files, every question with its look for changes; and compaction. */
export async function context(): Promise<Record<string, unknown>> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-bench-")));
  try {
    const paths = writeTree(workspace, FILES);
    const retriever = createRetriever({
      files: hostFiles({ hidden: [], fixed: [] }),
      clock: systemClock,
    });
    const { signal } = new AbortController();
    const ask = async (query: string) => {
      const started = performance.now();
      const found = await retriever.retrieve(workspace, query, { limit: 8, chars: 12_000, signal });
      return { ms: performance.now() - started, found };
    };
    // Files made just now are looked at twice: their times may not tell a second change.
    await new Promise((resolve) => void setTimeout(resolve, 100));
    const first = await ask("zzz");
    if (first.found.pack.indexed_files < FILES) throw new Error("Not every file was indexed.");
    const queries: number[] = [];
    for (let n = 0; n < ROUNDS; n++)
      for (const query of QUERIES) {
        const { ms, found } = await ask(query);
        if (found.citations.length === 0) throw new Error(`Nothing was found for ${query}.`);
        queries.push(ms);
      }
    const changes: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const path = paths[n * 997] as string;
      writeFileSync(join(workspace, path), `export const needle${n} = ${n};\n`);
      const { ms, found } = await ask(`needle${n}`);
      if (found.citations[0]?.path !== path) throw new Error("A changed file was not found.");
      changes.push(ms);
    }
    const result = {
      index_ms: round(first.ms),
      reindex_one_ms: round(median(changes), 1),
      query_p50_ms: round(median(queries), 1),
      compact_ms: compactMs(),
    };
    table(
      ["", "ms"],
      [
        [`index ${FILES} files`, result.index_ms],
        ["a question after one file was changed", result.reindex_one_ms],
        ["a question, median", result.query_p50_ms],
        ["a question, 95 of 100", round(percentile(queries, 0.95), 1)],
        ["compact a conversation", result.compact_ms],
      ],
    );
    return { bench: "context", files: FILES, ...result };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
