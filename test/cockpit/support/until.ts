const PAUSE_MS = 20;
const MOST_MS = 15_000;

/** What `look` finds, once it finds something. Gives up in time, so that a test fails and does not hang. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + MOST_MS;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error("It did not happen in time.");
}
