import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { everything } from "../support/world.ts";
import { type Site, startSite } from "../server/support.ts";

const SLEEPS = { body: { arguments: { command: "sleep 600" } }, method: "POST" };

async function completed(site: Site, session: Parameters<typeof everything>[1]) {
  const events = await everything(site.runtime.log, session);
  return events.find(({ type }) => type === "runtime.tool.direct.completed");
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => void setTimeout(resolve, 10));
  }
}

/** A session with a command that runs and does not end by itself. */
async function sleeping(signal?: AbortSignal) {
  const site = await startSite();
  const session = await site.session();
  const answer = site.call(`/chat/sessions/${session}/tools/shell`, {
    ...SLEEPS,
    ...(signal === undefined ? {} : { signal }),
  });
  const ended = answer.catch((error: Error) => error);
  await until(async () =>
    (await everything(site.runtime.log, session)).find(({ type }) => type === "runtime.tool.direct.started"),
  );
  return { site, session, ended };
}

describe("a tool that somebody runs over HTTP", { timeout: 60_000 }, () => {
  it("is stopped when they go away, and that is recorded", async () => {
    const abort = new AbortController();
    const { site, session, ended } = await sleeping(abort.signal);
    abort.abort();
    await ended;
    const { data } = await until(() => completed(site, session));
    expect(data).toMatchObject({ output: { status: "error", error: expect.stringContaining("Cancelled") } });
    await site.close();
  });

  it("is stopped and recorded before the log closes, and no other is begun", async () => {
    const { site, session, ended } = await sleeping();
    await site.runtime.services.tools.stop();
    expect(await completed(site, session)).toMatchObject({ data: { output: { status: "error" } } });
    expect(await ended).toMatchObject({ status: 200 });
    const late = await site.call(`/chat/sessions/${session}/tools/shell`, SLEEPS);
    expect(await late.json()).toMatchObject({ code: "shutting_down" });
    await site.close();
  });

  it("is stopped when the runtime stops", async () => {
    const { site, ended } = await sleeping();
    await site.runtime.stop();
    expect(await ((await ended) as Response).json()).toMatchObject({ status: "error" });
    await site.server.close();
  });

  it("answers with what the log has, without secrets", async () => {
    const site = await startSite();
    const session = await site.session();
    const name = `direct-${process.pid}.tmp`;
    const file = join(process.cwd(), name);
    writeFileSync(file, "key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD\n");
    try {
      const answer = await site.call(`/chat/sessions/${session}/tools/read_file`, {
        method: "POST",
        body: { arguments: { path: name } },
      });
      const text = await answer.text();
      expect(text).toContain("[redacted:");
      expect(text).not.toContain("abcdefghijklmnopqrstuvwxyz0123456789");
    } finally {
      rmSync(file);
      await site.close();
    }
  });
});
