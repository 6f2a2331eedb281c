import { afterAll, beforeAll, describe } from "vitest";
import type { EventLog } from "../event-log.ts";
import { appendSuite } from "./append.ts";
import { branchSuite } from "./branch.ts";
import { privacySuite } from "./privacy.ts";
import { readSuite } from "./read.ts";
import { card, rowQuerySuite } from "./row-queries.ts";
import { rowSuite } from "./rows.ts";
import { type Site, type StoreKind, handClock, openLog, tokenCount } from "./support.ts";

/** What every store must do, seen through the log. Run it over your own: one call in a test file. */
export function eventLogContract(kind: StoreKind): void {
  describe(`event log on ${kind.name}`, () => {
    let site: Site;
    let log: EventLog;
    beforeAll(async () => {
      site = await kind.newSite();
      const clock = handClock();
      log = openLog(await site.open(clock), clock, [tokenCount, card]);
    });
    afterAll(async () => {
      await log?.close();
      await site?.destroy();
    });
    describe("append", () => appendSuite(() => log));
    describe("read and follow", () => readSuite(() => log));
    describe("branch, trim, purge", () => branchSuite(() => log));
    describe("secrets and blobs", () => privacySuite(() => log));
    describe("rows and leases", () => rowSuite(() => log));
    describe("what rows are asked for by", () => rowQuerySuite(() => log));
  });
}
