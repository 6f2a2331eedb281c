import type { Json } from "./json.ts";

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
  const rest = events.pop() ?? "";
  let out = "";
  let open: { readonly head: string; json: Json; changed: boolean; readonly raw: string } | undefined;
  const close = (): void => {
    if (open !== undefined) out += `${open.changed ? open.head + JSON.stringify(open.json) : open.raw}\n\n`;
    open = undefined;
  };
  for (const raw of sewn(events, merge)) {
    const { head, json } = read(raw);
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
  return out + rest;
}

function read(raw: string): { readonly head: string; readonly json: Json | undefined } {
  const [, head = "", data = ""] = EVENT.exec(raw) ?? [];
  return { head, json: parsed(data) };
}

function parsed(text: string): Json | undefined {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** An event around one text of it. */
interface Seam {
  readonly before: string;
  readonly behind: string;
  text: string;
  /** Whether two events like it would be merged: looked at when there are two. */
  holds?: boolean;
}

/**
 * Most of a burst are events that differ in one word. They are put together as they are written: to read each of them and
 * write it again would cost more than all the rest.
 */
function sewn(events: readonly string[], merge: Merge): string[] {
  const out: string[] = [];
  let seam: Seam | undefined;
  for (const raw of events) {
    const more = seam === undefined ? undefined : between(seam, raw);
    if (seam !== undefined && more !== undefined && holds(seam, merge)) {
      seam.text += more;
      out[out.length - 1] = whole(seam);
    } else {
      out.push(raw);
      seam = seamOf(raw);
    }
  }
  return out;
}

const FIELD = /"(?:content|reasoning_content|reasoning|text|thinking|partial_json|delta)":"/;

function seamOf(raw: string): Seam | undefined {
  const found = FIELD.exec(raw);
  if (found === null) return undefined;
  const from = found.index + found[0].length;
  let to = from;
  while (to < raw.length && raw[to] !== '"') to += raw[to] === "\\" ? 2 : 1;
  return { before: raw.slice(0, from), behind: raw.slice(to), text: raw.slice(from, to) };
}

/** The text of an event that is the same but for it. */
function between({ before, behind }: Seam, raw: string): string | undefined {
  if (raw.length < before.length + behind.length) return undefined;
  if (!raw.startsWith(before) || !raw.endsWith(behind)) return undefined;
  const text = raw.slice(before.length, raw.length - behind.length);
  return !/["\\]/.test(text) || /^(?:[^"\\]|\\.)*$/s.test(text) ? text : undefined;
}

/** Other fields have such names too: it is the one only if two events merge to what the two texts make of one. */
function holds(seam: Seam, merge: Merge): boolean {
  if (seam.holds !== undefined) return seam.holds;
  const [{ json: once }, { json: twice }] = [
    read(whole({ ...seam, text: "." })),
    read(whole({ ...seam, text: ".." })),
  ];
  const both = once === undefined ? undefined : merge(once, once);
  return (seam.holds = both !== undefined && JSON.stringify(both) === JSON.stringify(twice));
}

function whole({ before, text, behind }: Seam): string {
  return before + text + behind;
}
