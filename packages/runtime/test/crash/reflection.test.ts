import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../stores.ts";
import { ADMIN, everything } from "../support/world.ts";
import { startChild } from "./child.ts";
import { ANSWER, openReflectionScene } from "./reflection-scene.ts";
import { until } from "./tool-kill-scene.ts";

it("a process killed with -9 while the model looks back: another goes on there, and nothing is done twice", async () => {
  const [data, work] = [temporaryFolder(), temporaryFolder()];
  const open = () => openReflectionScene(data.path, work.path, { say: "It was sent, once." });
  const first = await open();
  const { session_id } = await first.services.sessions.create(ADMIN, { permission_mode: "full_access" });
  await first.stop();
  const child = startChild("./reflection-child.ts", [data.path, work.path, session_id]);
  const ended = once(child, "close");
  let said = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    said += String(chunk);
    if (said.includes("\n")) child.kill("SIGKILL");
  }
  expect([said, (await ended)[1]]).toEqual(["looking\n", "SIGKILL"]);

  const second = await open();
  await second.start();
  await until(
    () => second.services.sessions.get(ADMIN, session_id),
    ({ turn_id }) => turn_id === null,
  );
  const events = await everything(second.log, session_id);
  const dataOf = (type: string) => events.filter((event) => event.type === type).map((event) => event.data);
  expect(dataOf("runtime.context.injected")).toMatchObject([{ subject: "reflection:before_finish" }]);
  expect(dataOf("agent.output.superseded")).toMatchObject([{ step: 3, attempt: 1 }]);
  expect(dataOf("agent.reflection")).toMatchObject([{ text: "It was sent, once.", step: 3, attempt: 2 }]);
  expect(dataOf("runtime.request.completed")).toMatchObject([{ output: ANSWER }]);
  expect(readFileSync(join(work.path, "effects.txt"), "utf8").trim().split("\n")).toHaveLength(1);
  expect((await second.log.verify()).broken).toEqual([]);
  await second.stop();
  data.remove();
  work.remove();
});
