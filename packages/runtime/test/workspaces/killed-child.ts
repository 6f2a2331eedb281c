import { join } from "node:path";
import { hostFiles } from "../../src/host/workspace-files.ts";
import { openWorkspaces } from "../../src/workspaces/open.ts";
import { write } from "./support-files.ts";

/** Does all that can be done with a workspace; its git may kill it at any call. */
const [project = "", data = "", home = "", path = "", id = ""] = process.argv.slice(2);
const workspaces = openWorkspaces({
  dir: join(data, "workspaces"),
  places: join(data, "../places"),
  hidden: [data],
  files: hostFiles({ hidden: [data], fixed: [] }),
  env: { PATH: path, HOME: home },
  clock: { now: () => Date.now() },
  project: { patienceMs: 60_000 },
});
if (id.startsWith("ws_kept")) {
  const order = { id, session_id: "ses_one", source: project };
  await workspaces.keepProject(order);
  write(project, "wip.txt", id);
  await workspaces.keepProject(order);
  process.exit(0);
}
const made = await workspaces.prepare({ id, session_id: "ses_one", source: project });
write(made.path, "new.txt", "new");
const { ref } = await workspaces.snapshot(id);
await workspaces.restore({ id: `${id}_b`, session_id: "ses_two", from: { workspace_id: id, ref } });
await workspaces.offer({ id, name: id, message: "The change" });
await workspaces.remove(`${id}_b`);
