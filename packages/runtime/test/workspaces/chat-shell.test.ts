import { expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import { plainSandbox } from "../../src/host/plain-sandbox.ts";
import { everything } from "../support/world.ts";
import { shellIn } from "../tools/sandbox-support.ts";
import { artifacts, DONE, tools } from "./support-background.ts";
import { branchAt, chat, say, worldFor } from "./support-chats.ts";
import { filesOf, lab } from "./support.ts";

const run = (command: string) => ({ call: "shell", with: { command } });

test("what a shell changed is had back as it was before and after: bytes, names, links and who may run it", async () => {
  const l = lab({ project: {} });
  l.put("old.txt", "o");
  const change = [
    "printf '\\0\\377' > blob.bin",
    "mv old.txt new.txt",
    "rm src/a.txt",
    "ln -s new.txt link",
    "chmod +x .gitignore",
    "mkdir -p ignored deep/er && echo hunter2 > ignored/x && echo d > deep/er/d",
  ].join(" && ");
  const w = worldFor(
    l,
    [
      { when: "change", rounds: [[run(change)], [DONE]] },
      { when: "wipe", rounds: [[run("rm -rf deep link blob.bin")], [DONE]] },
      { when: "idle", rounds: [[run("true")], [DONE]] },
    ],
    { tools: [...tools(l), shellIn(plainSandbox({ requested_backend: "none", reason: "Asked for." }))] },
  );
  const before = filesOf(l.project);
  const id = await chat(w);
  await say(w, id, "change");
  const { "ignored/x": ignored, ...after } = filesOf(l.project);
  expect(ignored).toBe("hunter2\n");
  await say(w, id, "wipe");
  const kept = await artifacts(w, id, "workspace_snapshot");
  await say(w, id, "idle");
  // A command that changed nothing says nothing new.
  expect(await artifacts(w, id, "workspace_snapshot")).toEqual(kept);
  const all = await everything(w.log, id);
  const batches = all.filter((event) => is(event, "agent.tool.batch"));
  const outcome = all.find((event) => is(event, "agent.tool.outcome"));
  const at = async (event: (typeof all)[number] | undefined) =>
    filesOf(String((await branchAt(w, event)).row.state?.workspace));
  expect(await at(batches[0])).toEqual(before);
  expect(await at(outcome)).toEqual(after);
  expect(await at(batches[1])).toEqual(after);
});
