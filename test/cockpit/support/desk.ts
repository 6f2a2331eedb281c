import { afterAll, beforeAll, expect } from "vitest";
import type { Script } from "../../../packages/runtime/src/models/script.ts";
import type { OwnBrowser } from "./browser.ts";
import { takeBrowser } from "./shared-browser.ts";
import { type PageSite, type Person, type PersonOptions, startPageSite } from "./site.ts";

type PageBudgets = Parameters<typeof startPageSite>[2];

/** A server, a browser, and an operator who sits at it. There from the first test of the file on. */
export interface Desk {
  readonly browser: OwnBrowser["browser"];
  readonly site: PageSite;
  readonly ada: Person;
}

/** Opens one for the tests of a file, and closes it after them. Whatever the page complained of fails them. */
export function desk(script?: Script, who: PersonOptions = {}, budgets?: PageBudgets): Desk {
  const at = {} as { browser: OwnBrowser["browser"]; site: PageSite; ada: Person };
  let own: OwnBrowser | undefined;
  beforeAll(async () => {
    const [opened, site] = await Promise.all([takeBrowser(), startPageSite(script, undefined, budgets)]);
    own = opened;
    Object.assign(at, { browser: opened.browser, site });
    at.ada = await site.person(opened.browser, who);
  });
  afterAll(async () => {
    const complaints = at.ada?.complaints;
    await own?.close();
    await at.site?.close();
    expect(complaints).toEqual([]);
  });
  return at;
}
