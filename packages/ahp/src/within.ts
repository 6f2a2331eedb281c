/** Waits for something that may never come: until it is there or failed, or so many milliseconds. */
export async function within(ms: number, awaited: Promise<unknown> | undefined): Promise<void> {
  if (awaited === undefined) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([awaited.catch(() => {}), late.promise]);
  clearTimeout(timer);
}
