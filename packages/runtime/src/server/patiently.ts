import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply } from "fastify";

/**
 * An answer that may take minutes. Clients and proxies give up on silence, so one that is not there
 * soon is begun with spaces, which JSON allows. From then on its status is sent: a failure cuts it off.
 */
export async function patiently<T>(answer: Promise<T>, everyMs: number, reply: FastifyReply): Promise<T> {
  const first = await Promise.race([answer.then((value) => ({ value })), pause(everyMs)]);
  if (first !== undefined) return first.value;
  reply.type("application/json; charset=utf-8");
  // The framework sends what a stream gives; to the table's types it is the answer itself.
  return Readable.from(spacesUntil(answer, everyMs)) as T;
}

async function* spacesUntil(answer: Promise<unknown>, everyMs: number): AsyncGenerator<string> {
  const text = answer.then((value) => JSON.stringify(value));
  // Nobody may be left to hear of it: who asked has gone.
  text.catch(() => {});
  for (;;) {
    yield " ";
    const found = await Promise.race([text, pause(everyMs)]);
    if (found !== undefined) return yield found;
  }
}

const pause = (ms: number): Promise<undefined> => wait(ms, undefined, { ref: false });
