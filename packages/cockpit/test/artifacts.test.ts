import type { ArtifactRow } from "@fairlead/contract";
import { expect, test } from "vitest";
import { artifactProjection } from "../../runtime/src/domain/artifact.ts";
import { aboutOf, contentIn, isWhole, placeOf } from "../src/panels/artifact.ts";

const SHA = "a".repeat(64);

/** The row that the server makes of it. */
function made(content: unknown, more: object = {}, blobs?: object): ArtifactRow {
  const artifact = { id: "out", kind: "final_output", content, ...more };
  const event = { type: "runtime.artifact.created", id: "evt_1", seq: 7, at: "", turn_id: null, blobs };
  return artifactProjection.evolve(
    undefined,
    { ...event, data: { artifact } } as never,
    { id: "ses_1" } as never,
  );
}

test("the server's word on where the whole is, is understood", () => {
  expect(placeOf(made("text").content_path ?? "")).toEqual({ id: "ses_1", after: 6 });
  const blob = made("text", {}, { "/artifact/content": { sha256: SHA, bytes: 9 } });
  expect(placeOf(blob.content_path ?? "")).toEqual({ id: "ses_1", sha256: SHA });
});

test("a path of a newer server, or of anybody else, is not gone to", () => {
  for (const path of [
    "",
    "/sessions/ses_1",
    `/sessions/ses_1/blobs/${SHA.slice(1)}`,
    "/sessions/ses_1/events?after=x",
    "/sessions/ses_1/events",
    `https://elsewhere.example/sessions/ses_1/blobs/${SHA}`,
  ])
    expect([path, placeOf(path)]).toEqual([path, null]);
});

test("what is short is whole, and what was cut is known to be", () => {
  for (const [length, whole] of [
    [0, true],
    [399, true],
    [401, false],
    [9_000, false],
  ] as const)
    expect([length, isWhole(made("x".repeat(length)).preview ?? null)]).toEqual([length, whole]);
  expect(isWhole(made("😀".repeat(399)).preview ?? null)).toBe(true);
  expect(isWhole(made({ a: 1 }).preview ?? null)).toBe(false);
});

test("the content is taken only from the event that has all of it", () => {
  const frame = { type: "runtime.artifact.created", artifact: { id: "out", content: "all" } };
  expect(contentIn(frame)).toBe("all");
  expect(contentIn({ ...frame, blobs: { "/artifact": {} } })).toBeUndefined();
  expect(contentIn({ ...frame, type: "another" })).toBeUndefined();
  expect(contentIn({ type: frame.type })).toBeUndefined();
  expect(contentIn(undefined)).toBeUndefined();
});

test("a line says what it is: what is said of it, else how it begins, else its id", () => {
  expect(aboutOf(made("text", { summary: "Two files" }))).toBe("Two files");
  expect(aboutOf(made("\n\nFirst line.\nSecond."))).toBe("First line.");
  expect(aboutOf(made(undefined))).toBe("out");
});
