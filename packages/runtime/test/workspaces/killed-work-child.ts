import { workRuntime } from "./killed-work.ts";

/** Background work, or a chat, that is killed after so many events: they are durable when they are seen. */
const [project = "", home = "", kill = "", kind = "background"] = process.argv.slice(2);
const runtime = await workRuntime(project, home);
await runtime.start();
const actor = { name: "ada", role: "operator", project: null, token_id: null } as const;
const choice = { permission_mode: "full_access", alias: "work" } as const;
const { session_id } =
  kind === "chat"
    ? await runtime.services.sessions.create(actor, choice)
    : await runtime.services.kernel.start(actor, { task: "Write it down.", ...choice });
if (kind === "chat") await runtime.services.turns.start(actor, session_id, { input: "Write it down." });
let seen = 0;
for await (const batch of runtime.log.subscribe(session_id, { after: 0 })) {
  seen += batch.length;
  if (seen >= Number(kill)) process.kill(process.pid, "SIGKILL");
  if (["completed", "idle"].includes((await runtime.services.sessions.get(actor, session_id)).status)) break;
}
process.stdout.write(String((await runtime.services.sessions.get(actor, session_id)).head_seq));
await runtime.stop();
