import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBm25 } from "../../src/retrieval/bm25.ts";
import { chunksOf, LINE_CHARS } from "../../src/retrieval/chunks.ts";
import { oneAfterAnother } from "../../src/retrieval/one-after-another.ts";
import { queryTerms, terms } from "../../src/retrieval/terms.ts";

describe("terms", () => {
  it.each([
    ["parseConfigFile", ["parseconfigfile", "parse", "config", "file"]],
    ["parse_config_files", ["parse_config_file", "parse", "config", "file"]],
    ["HTTPServer2", ["httpserver2", "http", "server2"]],
    ["src/host/plain-sandbox.ts", ["src", "host", "plain", "sandbox", "ts"]],
    ["a = b + 1;", []],
    ["queries classes status", ["query", "classe", "status"]],
    ["Größe der Straße", ["größe", "der", "straße"]],
    ["検索索引", ["検索", "索索", "索引"]],
    ["an em dash — or “quotes”", ["an", "em", "dash", "or", "quote"]],
    ["f".repeat(65), []],
  ])("of %s", (text, expected) => {
    expect([...terms(text)]).toEqual(expected);
  });

  it("of a query leave out the words that say nothing, unless there are no others", () => {
    expect(queryTerms("Where is the lease of a turn?", 9)).toEqual(["lease", "turn"]);
    expect(queryTerms("what is it", 9)).toEqual(["what", "is", "it"]);
    expect(queryTerms("one two three", 2)).toHaveLength(2);
  });

  it("of any text are short and never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(terms(text).filter((term) => term === "" || term.length > 64)).toEqual([]);
      }),
    );
  });
});

describe("chunks", () => {
  it("have every line, in order, and overlap a little", () => {
    const line = fc.string({ maxLength: 200 }).map((text) => text.replaceAll("\n", " "));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
        const chunks = chunksOf(lines.join("\n"));
        let reached = 0;
        for (const { start, end, text } of chunks) {
          expect(start).toBeLessThanOrEqual(reached + 1);
          expect(start).toBeGreaterThan(reached - 5);
          expect(end).toBeGreaterThan(reached);
          expect(text).toBe(lines.slice(start - 1, end).join("\n"));
          expect(end - start).toBeLessThan(40);
          reached = end;
        }
        const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
        expect(reached).toBe(Math.max(0, last));
      }),
    );
  });

  it("end rather at an empty line, and cut what no person wrote", () => {
    const lines = Array.from({ length: 60 }, (_, n) => (n === 29 ? "" : `line ${n}`));
    expect(chunksOf(lines.join("\n"))[0]).toMatchObject({ start: 1, end: 30 });
    expect(chunksOf("x".repeat(100_000))[0]?.text).toHaveLength(LINE_CHARS);
  });
});

describe("BM25", () => {
  it("ranks as the formula says, whatever was added and dropped", () => {
    const word = fc.constantFrom("a", "b", "c", "d", "e");
    const doc = fc.record({ words: fc.array(word, { maxLength: 12 }), dropped: fc.boolean() });
    fc.assert(
      fc.property(fc.array(doc, { maxLength: 20 }), fc.uniqueArray(word, { minLength: 1 }), (docs, query) => {
        const index = createBm25();
        const numbers = docs.map(({ words }) => index.add(words, []));
        for (const [i, { dropped }] of docs.entries()) if (dropped) index.drop(numbers[i] as number);
        const live = docs.flatMap(({ words, dropped }, i) => (dropped ? [] : [{ i, words }]));
        expect(index.size).toBe(live.length);
        const found = new Map(index.search(query));
        for (const { i, words } of live) {
          const expected = naive(words, query, live);
          expect(found.get(numbers[i] as number) ?? 0).toBeCloseTo(expected, 9);
        }
        expect(found.size).toBe(live.filter(({ words }) => words.some((w) => query.includes(w))).length);
        const scores = index.search(query).map(([, score]) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  it("counts what is boosted more, and is worn when much was dropped", () => {
    const index = createBm25();
    const plain = index.add(["lease"], []);
    const named = index.add(["lease"], ["lease"]);
    expect(index.search(["lease"]).map(([chunk]) => chunk)).toEqual([named, plain]);
    expect(index.worn).toBe(false);
    for (let n = 0; n < 5_000; n++) index.drop(index.add(["x"], []));
    expect(index.worn).toBe(true);
    index.drop(plain);
    index.drop(plain);
    expect(index.size).toBe(1);
  });
});

function naive(
  words: readonly string[],
  query: readonly string[],
  all: readonly { words: readonly string[] }[],
) {
  const average = all.reduce((sum, one) => sum + one.words.length + 1, 0) / all.length;
  return query.reduce((sum, term) => {
    const tf = words.filter((word) => word === term).length;
    const df = all.filter((one) => one.words.includes(term)).length;
    const idf = Math.log(1 + (all.length - df + 0.5) / (df + 0.5));
    const length = (words.length + 1) / average;
    return sum + (tf === 0 ? 0 : (idf * tf * 2.2) / (tf + 1.2 * (0.25 + 0.75 * length)));
  }, 0);
}

describe("one after another", () => {
  it("gives each caller work that began after it asked, and never two at once", async () => {
    const gates: PromiseWithResolvers<void>[] = [];
    let [running, most] = [0, 0];
    const run = oneAfterAnother(async () => {
      most = Math.max(most, ++running);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise.finally(() => void running--);
    });
    const [first, second, third] = [run(), run(), run()];
    expect(gates).toHaveLength(1);
    gates[0]?.reject(new Error("The first fails."));
    await expect(first).rejects.toThrow("The first fails.");
    while (gates.length < 2) await new Promise((resolve) => void setImmediate(resolve));
    gates[1]?.resolve();
    await Promise.all([second, third]);
    expect([gates.length, most]).toEqual([2, 1]);
    const fourth = run();
    gates[2]?.resolve();
    await fourth;
    expect(gates).toHaveLength(3);
  });
});
