/** A value now or later. The hot path stays synchronous whenever its handlers do. */
export type Awaitable<T> = T | Promise<T>;

export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Applies a step now, or when the value is there. */
export function andThen<T, U>(value: Awaitable<T>, step: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(step) : step(value);
}
