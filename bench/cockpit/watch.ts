import type { Page } from "playwright-core";

/** Tasks of more than 50 ms within so many milliseconds. Must be begun before what is to be watched. */
export async function longTasks(page: Page, ms: number): Promise<number> {
  return page.evaluate(
    (span) =>
      new Promise<number>((resolve) => {
        let found = 0;
        const observer = new PerformanceObserver((list) => (found += list.getEntries().length));
        observer.observe({ type: "longtask" });
        setTimeout(() => {
          observer.disconnect();
          resolve(found);
        }, span);
      }),
    ms,
  );
}

/** Scrolls up, a step with each drawn frame, and says how many frames of those that were due were not drawn. */
export async function droppedFrames(page: Page, ms: number): Promise<number> {
  return page.getByRole("region", { name: "Timeline" }).evaluate(
    (element, span) =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        const gaps: number[] = [];
        let last = began;
        function step(now: number): void {
          gaps.push(now - last);
          last = now;
          element.scrollBy(0, -150);
          if (now - began < span) return void requestAnimationFrame(step);
          const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 16.7;
          const due = gaps.reduce((sum, gap) => sum + Math.max(1, Math.round(gap / usual)), 0);
          resolve(((due - gaps.length) / due) * 100);
        }
        requestAnimationFrame(step);
      }),
    ms,
  );
}

/** What the page holds after a collection of garbage, in MB. */
export async function heapMb(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  await client.send("Performance.enable");
  const { metrics } = await client.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN) / 1024 / 1024;
}
