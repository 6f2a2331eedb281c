import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@fairlead/contract";
import { expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import { actor, codeOf, everything } from "../support/world.ts";
import { ADA } from "../kernel/support.ts";
import { branchAt, chat, FIRST, OTHER, say, SECOND, textOf, worldFor } from "./support-chats.ts";
import { lab } from "./support.ts";

async function branched() {
  const l = lab({ project: {} });
  const w = worldFor(l, [FIRST, SECOND, OTHER]);
  const id = await chat(w);
  await say(w, id, "first");
  await w.services.tools.call(ADA, id, "write_file", { path: "one.txt", content: "direct" });
  const end = (await everything(w.log, id)).find((event) => is(event, "runtime.request.completed"));
  const { row } = await branchAt(w, end);
  const own = (session: SessionId, more = "") =>
    existsSync(join(l.data, "workspaces/records", `${session.replace("ses_", "ws_")}${more}`));
  return { l, w, id, branch: row.session_id, path: String(row.state?.workspace), own };
}

test("a chat that is purged leaves nothing of the project behind, and its branch stays whole", async () => {
  const { w, id, branch, path, own } = await branched();
  expect([own(id), own(id, "_beside")]).toEqual([true, true]);
  await w.services.sessions.purge(ADMIN, id, "Enough.");
  expect([own(id), own(id, "_beside"), own(branch)]).toEqual([false, false, true]);
  await say(w, branch, "other");
  expect([textOf(path, "one.txt"), textOf(path, "two.txt")]).toEqual(["1", "b"]);
});

test("a branch that is purged leaves no directory, and one that may not be purged keeps its own", async () => {
  const { w, id, branch, path, own } = await branched();
  expect(await codeOf(w.services.sessions.purge(actor("viewer"), branch, "No."))).toBe("forbidden");
  expect(existsSync(path)).toBe(true);
  await w.services.sessions.purge(ADMIN, branch, "Enough.");
  expect([existsSync(path), own(branch), own(id)]).toEqual([false, false, true]);
  expect(w.reported).toEqual([]);
});

const ADMIN = actor("admin");
