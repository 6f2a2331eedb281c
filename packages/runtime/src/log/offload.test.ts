import fc from "fast-check";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { INLINE_LIMIT, offload } from "./offload.ts";

/** Puts the blobs back where the refs say. */
function restore(
  dataJson: string,
  { refs, blobs }: Pick<ReturnType<typeof offload>, "refs" | "blobs">,
): unknown {
  const root = { data: JSON.parse(dataJson) as unknown };
  // A part moved later may lie around one moved earlier: the outermost goes back first.
  for (const [pointer, ref] of Object.entries(refs).toSorted(([a], [b]) => a.length - b.length)) {
    const bytes = Buffer.from(blobs.find((blob) => blob.sha256 === ref.sha256)?.bytes ?? []);
    const path = [
      "data",
      ...pointer
        .split("/")
        .slice(1)
        .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~")),
    ];
    let at = root as unknown as Record<string, unknown>;
    for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
    const last = path.at(-1) as string;
    at[last] = typeof at[last] === "string" ? bytes.toString("utf8") : JSON.parse(bytes.toString("utf8"));
  }
  return root.data;
}

describe("offload", () => {
  it("leaves a preview of a long text and says where the whole is", () => {
    const text = "x".repeat(INLINE_LIMIT * 2);
    const result = offload(JSON.stringify({ text, note: "kept" }));
    const sha256 = createHash("sha256").update(text).digest("hex");
    expect(JSON.parse(result.dataJson)).toEqual({ text: "x".repeat(1024), note: "kept" });
    expect(result.refs).toEqual({ "/text": { sha256, bytes: text.length } });
  });

  it("cuts no character in half", () => {
    const result = offload(JSON.stringify({ text: `${"x".repeat(1023)}${"😀".repeat(INLINE_LIMIT)}` }));
    expect((JSON.parse(result.dataJson) as { text: string }).text.isWellFormed()).toBe(true);
  });

  it("makes any JSON fit, and loses nothing of it", () => {
    const big = fc.string({ minLength: 500, maxLength: 3_000 });
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        big,
        fc.array(big, { minLength: 5, maxLength: 30 }),
        fc.dictionary(fc.string(), tie("node"), { maxKeys: 6 }),
        fc.array(fc.integer(), { maxLength: 3_000 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.record({ result: tree, other: fc.array(tree, { maxLength: 4 }) }), (data) => {
        const json = JSON.stringify(data);
        const result = json.length > INLINE_LIMIT ? offload(json) : { dataJson: json, refs: {}, blobs: [] };
        expect(result.dataJson.length).toBeLessThanOrEqual(INLINE_LIMIT);
        expect(restore(result.dataJson, result)).toEqual(JSON.parse(json));
      }),
      { numRuns: 40 },
    );
  });
});
