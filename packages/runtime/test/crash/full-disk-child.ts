import { createEventLog } from "../../src/log/event-log.ts";
import { systemClock } from "../../src/host/clock.ts";
import { systemIds } from "../../src/host/ids.ts";
import { PROJECTIONS } from "../../src/domain/projections.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import type { SessionId } from "@fairlead/contract";

/** Says more and more until the disk takes no more, tells what is listed then, and dies. */
const [dir, session] = process.argv.slice(2) as [string, SessionId];
const log = createEventLog({
  store: openSqliteStore({ dir, clock: systemClock }),
  clock: systemClock,
  ids: systemIds(systemClock),
  projections: PROJECTIONS,
});
let acknowledged = -1;
let refused: unknown;
for (let i = 0; refused === undefined; i++) {
  const title = `${i}`;
  const events = [
    { type: "agent.output.delta" as const, data: { text: "x".repeat(20_000) } },
    { type: "runtime.session.state" as const, data: { session_id: session, status: "idle" as const, title } },
  ];
  const create =
    i === 0 && (await log.stream(session)) === undefined
      ? {
          create: {
            owner: "user",
            kind: "local",
            project: null,
            broadcast: false,
            created_by: null,
          } as const,
        }
      : {};
  try {
    const { ok } = await log.append({ writes: [{ stream: session, events, ...create }] });
    if (!ok) throw new Error("the append is not taken");
    acknowledged = i;
  } catch (error) {
    refused = (error as { code?: unknown }).code ?? String(error);
  }
}
const { rows } = await log.rows<{ title: string }>("session", {});
const counted = await log.count("session", { state: ["idle"] });
const said = { acknowledged, refused, listed: rows.map(({ title }) => title), counted };
process.stdout.write(JSON.stringify(said), () => process.kill(process.pid, "SIGKILL"));
