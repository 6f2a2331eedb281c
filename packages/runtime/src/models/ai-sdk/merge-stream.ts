type Json = Readonly<Record<string, unknown>>;

/** Two events as one, where nothing is lost by it; else undefined. */
export type Merge = (before: Json, next: Json) => Json | undefined;

/**
 * Makes one event of neighbours that arrived together. A burst of two hundred words then goes through the SDK once,
 * not two hundred times; what arrives alone is passed on as it is, at once. Whatever is not understood stays as it
 * came, broken events included.
 */
export function mergingFetch(merge: Merge): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!response.ok || !streams || response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(mergedStream(response.body, merge), { status, statusText, headers });
  };
}

export function mergedStream(body: ReadableStream<Uint8Array>, merge: Merge): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
        const end = done ? rest.length : rest.lastIndexOf("\n\n") + 2;
        if (end > 1) {
          controller.enqueue(encoder.encode(mergedEvents(rest.slice(0, end), merge)));
          rest = rest.slice(end);
        }
        if (done) controller.close();
        if (done || end > 1) return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
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
