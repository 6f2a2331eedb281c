import type { FrameBlobs } from "@fairlead/contract";

/**
 * Moves pointers into an event's data to where the face puts that data: `under` is its place in the
 * frame, and `rename` gives the key's name there. The empty pointer means all of the data.
 */
export function movedBlobs(blobs: FrameBlobs, under: string, rename: (key: string) => string): FrameBlobs {
  const moved: Record<string, FrameBlobs[string]> = {};
  for (const [pointer, ref] of Object.entries(blobs)) {
    const [, key, ...rest] = pointer.split("/");
    const path = key === undefined ? [] : [escape(rename(unescape(key))), ...rest];
    moved[[under, ...path].join("/")] = ref;
  }
  return moved;
}

// RFC 6901: in a pointer `~` is written ~0 and `/` is written ~1.
function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescape(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}
