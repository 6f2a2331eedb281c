import { useSyncExternalStore } from "react";

/** Something that changes by itself and can be looked at. */
export interface Store<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

export interface MutableStore<T> extends Store<T> {
  set(next: T): void;
}

export function createStore<T>(first: T): MutableStore<T> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** A part of it: the component is drawn again only when that part changes. */
export function useStorePart<T, P>(store: Store<T>, part: (value: T) => P): P {
  return useSyncExternalStore(store.subscribe, () => part(store.get()));
}
