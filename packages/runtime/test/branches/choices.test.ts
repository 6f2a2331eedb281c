import { describe, expect, it } from "vitest";
import { loadCarried, snapshotEvent } from "../../src/services/loop/load.ts";
import { actor, codeOf, errorOf, everything } from "../support/world.ts";
import { ADA, branchWorld, say, whole, workedSession } from "./support.ts";

describe("a branch", () => {
  it("begins with its seed, and takes along what was set but not what was of one run", async () => {
    const w = branchWorld();
    const parent = await workedSession(w);
    const { session_id, head_seq, title, aliases, project } = await w.services.branches.branch(
      ADA,
      parent,
      {},
    );
    expect({ title, aliases, project }).toEqual({ title: "Mail (branch 1)", aliases: [], project: null });
    const own = await everything(w.log, session_id);
    expect(own.map(({ type }) => type)).toEqual(["runtime.session.checkpoint", "runtime.session.state"]);
    const source = (await everything(w.log, parent)).at(-1);
    expect(own[0]?.data).toMatchObject({
      session_id,
      checkpoint_type: "resume_seed",
      resume_cursor: `event:${parent}:${source?.seq}`,
      summary_text: `Branched from “Mail” (${parent}) at event ${source?.seq}. The last request: “send it”. The last answer: “Sent.”.`,
      details: { turns: 2, closed_turn_id: null },
    });
    expect(own[1]?.data).toMatchObject({
      session_id,
      status: "idle",
      provider: "fairlead",
      permission_mode: "normal",
      approval_mode: "on_request",
      think_level: "off",
      parent_session_id: parent,
      branch_source_event_id: source?.id,
      branch_resume_cursor: `event:${parent}:${source?.seq}`,
    });
    for (const field of ["aliases", "process_id", "approval_request_id", "last_error"])
      expect(own[1]?.data).not.toHaveProperty(field);
    expect(head_seq).toBe((source?.seq ?? 0) + 2);
  });

  it("can be changed at the fork, over what somebody chose for the parent, and the loop goes by it", async () => {
    const w = branchWorld();
    const parent = await workedSession(w);
    await w.services.sessions.configure(ADA, parent, { title: "Chosen", permission_mode: "full_access" });
    const kept = await w.services.branches.branch(ADA, parent, {});
    expect(kept.state).toMatchObject({ title: "Chosen (branch 1)", permission_mode: "full_access" });
    await say(w, kept.session_id, "and now?");
    const { title } = await w.services.sessions.get(ADA, kept.session_id);
    expect(title).toBe("Chosen (branch 1)");
    const inner = await w.services.branches.branch(ADA, kept.session_id, {});
    expect(inner.title).toBe("Chosen (branch 1.1)");
    const other = await w.services.branches.branch(ADA, parent, {
      title: "Otherwise",
      model: "other",
      permission_mode: "plan",
      approval_mode: "always",
      think_level: "high",
      instructions: "Be brief.",
    });
    const changed = {
      title: "Otherwise",
      permission_mode: "plan",
      approval_mode: "always",
      think_level: "high",
      instructions: "Be brief.",
    };
    expect(other.state).toMatchObject(changed);
    await say(w, other.session_id, "hello");
    const { state } = await loadCarried(w.log, other.session_id);
    expect(state.settings).toMatchObject(changed);
    expect(state.messages.at(-1)).toMatchObject({ by: expect.stringContaining("other") });
    expect((await w.services.sessions.get(ADA, parent)).state).toMatchObject({
      permission_mode: "full_access",
    });
  });

  it("goes by the snapshots before its fork, and not by those after it", async () => {
    const w = branchWorld();
    const { session_id: parent } = await w.services.sessions.create(ADA, {});
    await say(w, parent, "one");
    const fork = (await everything(w.log, parent)).at(-1);
    await say(w, parent, "two");
    await w.log.append({
      writes: [{ stream: parent, events: [snapshotEvent(await loadCarried(w.log, parent))] }],
    });
    await say(w, parent, "three");
    const asked = async (from_event_id?: string) => {
      const input = from_event_id === undefined ? {} : { from_event_id };
      const { session_id } = await w.services.branches.branch(ADA, parent, input);
      const { state } = await loadCarried(w.log, session_id);
      return state.messages.filter(({ role }) => role === "user").map(({ text }) => text);
    };
    expect(await asked(fork?.id)).toEqual(["one"]);
    expect(await asked()).toEqual(["one", "two", "three"]);
  });

  it("says nothing of what was redacted", async () => {
    const w = branchWorld();
    const { session_id: parent } = await w.services.sessions.create(ADA, {});
    const secret = `sk-ant-api03-${"a1B2".repeat(12)}`;
    await say(w, parent, `hello, my key is ${secret}`);
    const { session_id } = await w.services.branches.branch(ADA, parent, {});
    expect((await loadCarried(w.log, session_id)).state.messages[0]?.text).toContain(secret);
    const seen = [await whole(w, session_id), await w.services.details.chat(ADA, session_id)];
    expect(JSON.stringify(seen)).toContain("my key is");
    expect(JSON.stringify(seen)).not.toContain(secret);
  });
});

describe("who may branch", () => {
  it("is who may make sessions and sees this one", async () => {
    const w = branchWorld();
    const { session_id } = await w.services.sessions.create(ADA, { project: "home" });
    const branch = (by: ReturnType<typeof actor>) => w.services.branches.branch(by, session_id, {});
    expect(await codeOf(branch(actor("viewer")))).toBe("forbidden");
    expect(await codeOf(branch(actor("operator", "eve", "work")))).toBe("session_not_found");
    expect(await codeOf(branch(actor("agent", "bot", "home")))).toBe("session_not_found");
    expect((await branch(actor("operator", "bob", "home"))).project).toBe("home");
  });

  it("is an agent too, for its own, without what a person allowed the parent", async () => {
    const w = branchWorld();
    const bot = actor("agent", "bot");
    const { session_id } = await w.services.sessions.create(bot, {});
    const loose = { permission_mode: "full_access", approval_mode: "on_escalation" } as const;
    await w.services.sessions.configure(ADA, session_id, loose);
    expect(await codeOf(w.services.branches.branch(bot, session_id, loose))).toBe("forbidden");
    const row = await w.services.branches.branch(bot, session_id, {});
    expect(row).toMatchObject({
      created_by: "bot",
      state: { permission_mode: "normal", approval_mode: "on_request" },
    });
    expect((await loadCarried(w.log, row.session_id)).state.settings).toMatchObject({
      permission_mode: "normal",
      approval_mode: "on_request",
    });
  });
});

describe("the command", () => {
  it("does the same once, whatever comes between, and not with another body", async () => {
    const w = branchWorld();
    const { session_id: parent } = await w.services.sessions.create(ADA, {});
    const branch = (title: string) => w.services.branches.branch(ADA, parent, { title, idempotencyKey: "k" });
    const both = await Promise.all([branch("a"), branch("a")]);
    await say(w, parent, "hello");
    const again = await branch("a");
    expect(new Set([...both, again].map(({ session_id }) => session_id)).size).toBe(1);
    expect(await codeOf(branch("b"))).toBe("idempotency_mismatch");
  });

  it("refuses a foreign agent's session, and a place that is nowhere in this one", async () => {
    const w = branchWorld();
    const { session_id: parent } = await w.services.sessions.create(ADA, {});
    const { session_id: other } = await w.services.sessions.create(ADA, {});
    await say(w, parent, "hello");
    const { session_id: child } = await w.services.branches.branch(ADA, parent, {});
    await say(w, parent, "hello after the fork");
    const late = (await everything(w.log, parent)).at(-1);
    const foreign = (await everything(w.log, other))[0];
    const code = (from: object) => codeOf(w.services.branches.branch(ADA, child, from));
    expect(await code({ from_event_id: late?.id })).toBe("event_not_found");
    expect(await code({ from_event_id: foreign?.id })).toBe("event_not_found");
    expect(await code({ resume_cursor: `event:${parent}:${late?.seq}` })).toBe("resume_cursor_invalid");
    expect(await code({ resume_cursor: `event:${other}:1` })).toBe("resume_cursor_invalid");
    expect(await code({ resume_cursor: `checkpoint:${parent}:1` })).toBe("resume_cursor_invalid");
    expect(await code({ resume_cursor: `event:${parent}:1`, from_event_id: late?.id })).toBe("bad_request");

    const made = await w.log.append({
      writes: [
        {
          stream: "ses_foreign",
          events: [{ type: "runtime.session.state", data: { session_id: "ses_foreign", status: "running" } }],
          create: { owner: "user", kind: "supervised", project: null, broadcast: false, created_by: "ada" },
        },
      ],
    });
    expect(made.ok).toBe(true);
    expect(await errorOf(w.services.branches.branch(ADA, "ses_foreign", {}))).toMatchObject({
      code: "branch_unsupported",
    });
  });

  it("takes the cursor of a compaction, and goes on from before it", async () => {
    const w = branchWorld();
    const { session_id: parent } = await w.services.sessions.create(ADA, {});
    await say(w, parent, "hello");
    const head = (await w.services.sessions.get(ADA, parent)).head_seq;
    const resume_cursor = `compact:${parent}:${head}`;
    const compacted = {
      original_count: 24,
      compacted_count: 10,
      tokens_saved: 4200,
      summary: "Kept the recent working set and collapsed older tool chatter.",
      preserved_messages: 6,
      resume_cursor,
    };
    await w.log.append({
      writes: [{ stream: parent, events: [{ type: "agent.context.compacted", data: compacted }] }],
    });
    const { resume_points } = await w.services.details.chat(ADA, parent);
    expect(resume_points.at(-1)).toMatchObject({ kind: "compact", resume_cursor, seq: head + 1 });
    const { session_id } = await w.services.branches.branch(ADA, parent, { resume_cursor });
    expect((await whole(w, session_id)).map(({ type }) => type)).not.toContain("agent.context.compacted");
    expect(await w.log.stream(session_id)).toMatchObject({ base_seq: head });
  });
});
