import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { EventLog } from "../event-log.ts";
import { branch, create, events, one, token } from "./support.ts";

export function privacySuite(log: () => EventLog): void {
  it("redacts secrets before the append and keeps what execution needs sealed", async () => {
    const id = await create(log());
    const data = {
      name: "http",
      arguments: {
        url: "https://ada:hunter22@host/x",
        headers: { Authorization: "Bearer abcdefghijklmnop" },
      },
      tool_call_id: "call-1",
    };
    const [sealed] = events(
      await log().append(one({ stream: id, events: [{ type: "agent.tool.start", data, seal: true }] })),
    );
    const text = JSON.stringify((await log().read(id)).events);
    expect(text).not.toContain("hunter22");
    expect(text).not.toContain("abcdefghijklmnop");
    expect(text).toContain("[redacted:");
    expect(await log().unseal(id, sealed?.seq ?? 0)).toEqual(data);
    const [plain] = events(
      await log().append(one({ stream: id, events: [{ ...token("nothing secret"), seal: true }] })),
    );
    expect(await log().unseal(id, plain?.seq ?? 0)).toBeUndefined();
    expect((await log().verify(id)).broken).toEqual([]);
  });

  it("moves payloads over 32 KiB to blobs by content, and drops them with the last reference", async () => {
    const [a, b] = [await create(log()), await create(log())];
    const long = `é${"long text ".repeat(10_000)}`;
    const sha256 = createHash("sha256").update(long).digest("hex");
    for (const id of [a, b]) events(await log().append(one({ stream: id, events: [token(long)] })));
    const stored = (await log().read(a, { after: 1 })).events[0];
    const text = (stored?.data as { text: string } | undefined)?.text ?? "";
    expect(long.startsWith(text)).toBe(true);
    expect(text.length).toBeLessThan(2_000);
    expect(stored?.blobs).toEqual({ "/text": { sha256, bytes: Buffer.byteLength(long) } });
    expect(Buffer.from((await log().blob(a, sha256)) ?? []).toString("utf8")).toBe(long);
    expect(await log().blob(await create(log()), sha256)).toBeUndefined();
    expect(await log().blob(await branch(log(), a, 2), sha256)).toBeDefined();
    await log().purge(a);
    expect(await log().blob(b, sha256)).toBeDefined();
    await log().trim(b, 2);
    expect(await log().blob(b, sha256)).toBeUndefined();
  });

  it("refuses an event too large to take at all", async () => {
    const id = await create(log());
    const answer = await log().append(one({ stream: id, events: [token("x".repeat(17 * 1024 * 1024))] }));
    expect(answer).toMatchObject({ ok: false, refusal: { code: "payload_too_large" } });
    expect((await log().stream(id))?.head_seq).toBe(1);
  });
}
