import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** How long a server may take to end a stream whose answer is complete. */
const LINGER_MS = 250;

/**
 * Reads to the end of the stream, though its last part of interest came before: a connection can be used again only
 * when its answer was read whole. Does not wait for a server that forgets to end it. Given up when nobody reads on.
 */
export async function* whole(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  let ended = false;
  let finished = false;
  let timer: NodeJS.Timeout | undefined;
  const late = (): Promise<undefined> =>
    new Promise((resolve) => {
      timer = setTimeout(() => resolve(undefined), LINGER_MS);
    });
  try {
    for (;;) {
      const read: ReadableStreamReadResult<LanguageModelV4StreamPart> | undefined = await (finished
        ? Promise.race([reader.read(), late()])
        : reader.read());
      clearTimeout(timer);
      if (read === undefined) return;
      ended = read.done;
      if (read.done) return;
      yield read.value;
      finished ||= read.value.type === "finish";
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => {});
  }
}
