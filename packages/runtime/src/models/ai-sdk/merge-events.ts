type Json = Readonly<Record<string, unknown>>;

/** Two events as one, where nothing is lost by it; else undefined. */
export type Merge = (before: Json, next: Json) => Json | undefined;

/**
 * Makes one event of neighbours that arrived together. A burst of two hundred words then goes through the SDK once,
 * not two hundred times; what arrives alone is passed on as it is, at once. Whatever is not understood stays as it
 * came, broken events included.
 */
export function eventMerger(merge: Merge) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return {
    /** What is whole by now; undefined when nothing is. */
    take(bytes: Uint8Array): Uint8Array | undefined {
      rest += decoder.decode(bytes, { stream: true });
      const end = rest.lastIndexOf("\n\n") + 2;
      if (end < 2) return undefined;
      const events = rest.slice(0, end);
      rest = rest.slice(end);
      return encoder.encode(mergedEvents(events, merge));
    },
    end(): Uint8Array | undefined {
      rest += decoder.decode();
      return rest === "" ? undefined : encoder.encode(mergedEvents(rest, merge));
    },
  };
}

const EVENT = /^((?:event: ?[^\n]*\n)?data: ?)(\{[^\n]*\})$/;

/** Whole events, each ended by an empty line. */
export function mergedEvents(text: string, merge: Merge): string {
  const events = text.split("\n\n");
  if (events.length < 3) return text;
  let out = "";
  let open: { readonly head: string; json: Json; changed: boolean; readonly raw: string } | undefined;
  const close = (): void => {
    if (open !== undefined) out += `${open.changed ? open.head + JSON.stringify(open.json) : open.raw}\n\n`;
    open = undefined;
  };
  for (const raw of events.slice(0, -1)) {
    const [, head = "", data = ""] = EVENT.exec(raw) ?? [];
    const json = parsed(data);
    const both =
      open !== undefined && json !== undefined && open.head === head ? merge(open.json, json) : undefined;
    if (open !== undefined && both !== undefined) {
      open.json = both;
      open.changed = true;
      continue;
    }
    close();
    if (json === undefined) out += `${raw}\n\n`;
    else open = { head, json, changed: false, raw };
  }
  close();
  return out + (events.at(-1) ?? "");
}

function parsed(text: string): Json | undefined {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
