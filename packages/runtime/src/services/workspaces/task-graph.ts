import type { NewEvent } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { taskGraphArtifact } from "../../domain/workspace/artifacts.ts";
import type { Drive } from "../loop/context.ts";

/** The tasks as the session last listed them; without a list, the one task that it is. */
export async function finishedGraph(
  { log, session, journal }: Drive,
  task_graph_id: string,
): Promise<NewEvent<"runtime.artifact.created">> {
  await journal.flush();
  const page = await log.read(session, {
    before: Number.MAX_SAFE_INTEGER,
    types: ["runtime.task.list"],
    limit: 1,
    history: "full",
  });
  const [last] = page.events;
  const listed = last !== undefined && is(last, "runtime.task.list") ? last.data.tasks : [];
  const title = journal.state.settings?.title ?? "The task";
  return taskGraphArtifact(
    task_graph_id,
    listed.length === 0 ? [{ id: "task", title, status: "completed" }] : listed,
  );
}
