import type { ArtifactRow } from "@fairlead/contract";

/** As long as the server makes them: what is shorter is all there is. */
const PREVIEW_CHARS = 400;

export function isWhole(preview: string | null): boolean {
  return preview !== null && Array.from(preview).length < PREVIEW_CHARS;
}

/** What it is, on a line: what is said of it, else how it begins. */
export function aboutOf({ artifact, preview, artifact_id }: ArtifactRow): string {
  const { summary, uri } = artifact as { readonly summary?: unknown; readonly uri?: unknown };
  const begins = preview?.split("\n").find((line) => line.trim() !== "");
  return String(summary ?? uri ?? begins ?? artifact_id);
}

/** Where the whole of an artifact is: a blob of its own, or in the event that made it. */
export type Place =
  | { readonly id: string; readonly sha256: string }
  | { readonly id: string; readonly after: number };

const BLOB = /^\/sessions\/([^/?]+)\/blobs\/([0-9a-f]{64})$/;
const EVENT = /^\/sessions\/([^/?]+)\/events\?(.*)$/;

/** What a `content_path` says; null for one that this page does not know. */
export function placeOf(path: string): Place | null {
  const [, session, sha256] = BLOB.exec(path) ?? [];
  if (session !== undefined && sha256 !== undefined) return { id: decodeURIComponent(session), sha256 };
  const [, id, query] = EVENT.exec(path) ?? [];
  const after = new URLSearchParams(query).get("after");
  if (id === undefined || after === null || !/^\d+$/.test(after)) return null;
  return { id: decodeURIComponent(id), after: Number(after) };
}

/** What a runtime frame has of it; undefined where it has none, or only a part. */
export function contentIn(frame: Readonly<Record<string, unknown>> | undefined): unknown {
  if (frame === undefined || frame["type"] !== "runtime.artifact.created" || frame["blobs"] !== undefined)
    return undefined;
  return (frame["artifact"] as { readonly content?: unknown } | undefined)?.content;
}
