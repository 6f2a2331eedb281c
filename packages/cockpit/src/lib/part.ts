import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** A part of the page could not be fetched: the server is away, or serves another build by now. */
export class MissingPart extends Error {
  readonly part: string;
  constructor(part: string, cause: unknown) {
    super(`The part "${part}" of the page could not be loaded.`, { cause });
    this.part = part;
  }
}

/** A part that is fetched when it is first shown. */
export function part<P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      const component = await load();
      reloads.over(name);
      return { default: component };
    } catch (error) {
      throw new MissingPart(name, error);
    }
  });
}

export interface Reloads {
  /** True once for a part, until that part was loaded: a page that reloads itself must come to an end. */
  claim(name: string): boolean;
  over(name: string): void;
}

/** Remembers in `storage` which parts the page was reloaded for. What cannot be remembered is not claimed. */
export function reloadsIn(storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">): Reloads {
  const keyOf = (name: string): string => `fairlead:reloaded:${name}`;
  return {
    claim(name) {
      try {
        if (storage().getItem(keyOf(name)) !== null) return false;
        storage().setItem(keyOf(name), "1");
        return true;
      } catch {
        return false;
      }
    },
    over(name) {
      try {
        storage().removeItem(keyOf(name));
      } catch {
        // Nothing was claimed either.
      }
    },
  };
}

export const reloads = reloadsIn(() => sessionStorage);
