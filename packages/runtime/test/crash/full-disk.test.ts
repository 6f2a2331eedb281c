import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { PROJECTIONS } from "../../src/domain/projections.ts";
import { systemClock } from "../../src/host/clock.ts";
import { systemIds } from "../../src/host/ids.ts";
import { createEventLog } from "../../src/log/event-log.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { temporaryFolder } from "../stores.ts";

const CHILD = new URL("full-disk-child.ts", import.meta.url).pathname;
/** A few megabytes, in blocks that not every shell counts alike. */
const ROOM = "ulimit -f 4000";

interface Said {
  readonly acknowledged: number;
  readonly refused: string;
  readonly listed: readonly string[];
  readonly counted: number;
}

describe("a disk that takes no more", () => {
  const folder = temporaryFolder();
  const session = systemIds(systemClock).next("session");
  afterAll(() => folder.remove());

  function writeUntilFull(): Said {
    const { stdout, stderr } = spawnSync("sh", [
      "-c",
      `${ROOM} && exec "$0" "$@"`,
      process.execPath,
      CHILD,
      folder.path,
      session,
    ]);
    expect(String(stderr)).toBe("");
    return JSON.parse(String(stdout)) as Said;
  }

  it("can still be read, and opened again, and nothing is lost when there is room", async () => {
    const { acknowledged, ...first } = writeUntilFull();
    expect(acknowledged).toBeGreaterThan(5);
    expect(first).toEqual({ refused: "store_unavailable", listed: [`${acknowledged}`], counted: 1 });
    // The one that opens it next has no room for what is owed either.
    expect(writeUntilFull()).toEqual({ ...first, acknowledged: -1 });
    const log = createEventLog({
      store: openSqliteStore({ dir: folder.path, clock: systemClock }),
      clock: systemClock,
      ids: systemIds(systemClock),
      projections: PROJECTIONS,
    });
    const { rows } = await log.rows<{ title: string }>("session", {});
    expect(rows.map(({ title }) => title)).toEqual(first.listed);
    await log.close();
  });
});
