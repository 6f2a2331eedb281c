import { delta, startSite } from "./support.ts";

// The server of the slow-reader test, in a process of its own, so that its memory is its own.

export interface Ready {
  readonly port: number;
  readonly token: string;
  readonly session: string;
}

/** Bytes after a collection; the most that was seen while it wrote. */
export interface Written {
  readonly before: number;
  readonly most: number;
  readonly rssBefore: number;
  readonly rss: number;
  readonly head: number;
}

const [directory = "", totalText = "0", sizeText = "0"] = process.argv.slice(2);
const site = await startSite({ store: { sqlite: directory } });
const session = await site.session();

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function write(): Promise<Written> {
  const text = "x".repeat(Number(sizeText));
  const rssBefore = process.memoryUsage.rss();
  const before = memory();
  let most = before;
  for (let done = 0; done < Number(totalText); done += 100) {
    const events = Array.from({ length: 100 }, () => delta(text));
    const appended = await site.runtime.log.append({ writes: [{ stream: session, events }] });
    if (!appended.ok) throw new Error(appended.refusal.message);
    if (done % 2_000 === 0) most = Math.max(most, memory());
  }
  const { head_seq } = await site.runtime.log.read(session, { limit: 1 });
  return { before, most, rssBefore, rss: process.memoryUsage.rss(), head: head_seq };
}

process.on("message", (order) => {
  if (order === "write") void write().then((written) => process.send?.(written));
  else void site.close().then(() => process.exit());
});
process.send?.({ port: site.port, token: site.tokens.viewer, session } satisfies Ready);
