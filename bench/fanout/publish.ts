import { setTimeout as sleep } from "node:timers/promises";

/** Now, in milliseconds, finer than `Date.now` and the same in all processes of the machine. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** Waits for the word, publishes at an even pace, and says what it cost in processor time. */
export function publishOnDemand(publish: (text: string) => Promise<void> | void): void {
  process.on("message", async (message: { is: string; events: number; everyMs: number }) => {
    if (message.is !== "publish") return;
    const before = process.cpuUsage();
    const started = performance.now();
    for (let i = 0; i < message.events; i++) {
      await sleep(Math.max(0, started + i * message.everyMs - performance.now()));
      await publish(`${preciseNow()} a few words of an answer, as a model streams them`);
    }
    await sleep(500);
    const { user, system } = process.cpuUsage(before);
    process.send?.({ is: "published", cpuUs: user + system });
  });
}
