import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { temporaryFolder } from "../stores.ts";
import { actor, handTime, world } from "../support/world.ts";

const ADA = actor("operator", "ada");

test("a session whose row is from before rows said where it stands is listed, and moves on", async () => {
  const folder = temporaryFolder();
  const time = handTime();
  const open = (mark: string) =>
    world({ mark, store: openSqliteStore({ dir: folder.path, clock: time.clock }), time });
  const first = open("a");
  const { session_id } = await first.services.sessions.create(ADA, { title: "Old" });
  await first.log.close();
  const file = readdirSync(folder.path).find((name) => name.endsWith(".db")) as string;
  const db = new DatabaseSync(join(folder.path, file));
  const { changes } = db.prepare("UPDATE rows SET state = 'none' WHERE kind = 'attention'").run();
  db.close();
  expect(changes).toBe(1);

  const second = open("b");
  try {
    const before = await second.services.inbox.read(ADA);
    expect([before.entries.map(({ title, group }) => [title, group]), before.counts.idle]).toEqual([
      [["Old", "idle"]],
      1,
    ]);
    await second.services.turns.start(ADA, session_id, { input: "Hello" });
    for (let i = 0; i < 200; i++) {
      if ((await second.services.sessions.get(ADA, session_id)).turn_id === null) break;
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    expect((await second.services.inbox.read(ADA)).counts).toMatchObject({ done: 1, idle: 0 });
  } finally {
    await second.services.turns.stop("over");
    await second.log.close();
    folder.remove();
  }
});
