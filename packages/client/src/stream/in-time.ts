/** The promise's outcome. When it takes longer, `late` is called once: it must make the promise settle. */
export async function inTime<T>(promise: Promise<T>, ms: number, late: () => void): Promise<T> {
  const timer = setTimeout(late, ms);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
