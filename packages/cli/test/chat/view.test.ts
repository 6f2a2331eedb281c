import { describe, expect, test } from "vitest";
import { layout, NOTHING_PRINTED } from "../../src/chat/layout.ts";
import type { View } from "../../src/chat/model.ts";
import { EMPTY_VIEW, evolve } from "../../src/chat/view.ts";
import { called, folded, frame, outcome, shown, started, token } from "./support.ts";

const SCENE = { width: 60, colour: false, now: 3_000, thinking: false };

function screen({ items }: View, scene = SCENE): { commit: string; live: string } {
  const { commit, live } = layout(items, NOTHING_PRINTED, scene, 40);
  return { commit: shown(commit), live: shown(live) };
}

describe("the view of a conversation", () => {
  test("keeps two calls of one tool apart, in the order in which they were made", () => {
    const before = folded([
      started(),
      called("c1", "read_file", { path: "a.md" }),
      called("c2", "read_file", { path: "b.md" }),
      outcome("c2", "read_file", "error", "No such file: b.md\nand much more"),
    ]);
    const { commit, live } = screen(before);
    expect(commit).toBe("\n› Hello");
    // The second has ended, and waits for the first: rows do not change places.
    expect(live).toBe(
      "\n● read_file a.md running 2.0 s\n✗ read_file b.md failed 12 ms\n  No such file: b.md",
    );
    const after = folded([outcome("c1", "read_file", "ok")], before);
    expect(screen(after)).toMatchObject({
      live: "",
      commit: expect.stringContaining("✓ read_file a.md ok 12 ms\n✗"),
    });
  });

  test("shows a call that was denied before it began, with what it was to be called with", () => {
    const view = folded([
      started(),
      frame("response", {
        text: "",
        step: 1,
        tool_calls: [{ tool_call_id: "c1", name: "shell", arguments: '{"command":"rm -rf x"}' }],
      }),
      outcome("c1", "shell", "denied", "Not today."),
    ]);
    expect(screen(view).commit).toContain("⊘ shell rm -rf x denied 12 ms\n  Not today.");
    const person = folded([
      started(),
      frame("approval_required", {
        request_id: "apr_1",
        tool_name: "shell",
        reason: "r",
        tool_call_id: "c1",
      }),
      frame("approval_applied", {
        request_id: "apr_1",
        tool_name: "shell",
        decision: "denied",
        actor: "me",
        note: "No.",
      }),
      called("c1", "shell"),
      outcome("c1", "shell", "denied", "me denied this call: No."),
    ]);
    expect(screen(person).commit).toBe("\n› Hello\n\n⊘ shell denied by me: No.");
  });

  test("shows a call that did not fit its tool as one that was not run, unless it was mended", () => {
    const wrong = (repaired?: boolean) =>
      frame("tool_validation_error", {
        tool_call_id: "c1",
        tool_name: "shell",
        error: "No command.",
        repaired,
      });
    expect(screen(folded([started(), wrong()])).commit).toContain("✗ shell not run\n  No command.");
    expect(screen(folded([started(), wrong(true)])).commit).toBe("\n› Hello");
  });

  test("folds thinking to one line, and shows it whole when asked", () => {
    const view = folded([
      started(),
      frame("thinking", { text: "Hmm, " }),
      frame("thinking", { text: "yes." }),
    ]);
    expect(screen(view).live).toBe("\n∴ thinking … 9 characters · Ctrl-T shows it");
    expect(screen(view, { ...SCENE, thinking: true }).live).toContain("\n  Hmm, yes.");
    expect(screen(folded([token("So.")], view)).commit).toContain("∴ thought, 9 characters");
    expect(view.lastThinking).toBe("Hmm, yes.");
  });

  test("takes the task list from its calls, shows no row for them, and prints the list at the end", () => {
    const tasks = [
      { id: "1", title: "Look", status: "completed" },
      { id: "2", title: "Mend", status: "in_progress" },
    ];
    const view = folded([
      started(),
      called("t", "update_tasks", { tasks }),
      outcome("t", "update_tasks", "ok"),
    ]);
    expect(view.tasks).toEqual([
      { title: "Look", status: "completed" },
      { title: "Mend", status: "in_progress" },
    ]);
    expect(screen(view).live).toBe("");
    const ended = folded([frame("turn_end", { turn_id: "trn_1", status: "completed" })], view);
    expect(screen(ended).commit).toMatch(/Tasks 1\/2\n {2}☑ Look\n {2}▸ Mend\n\n─ done in 0 ms$/);
    const bad = folded([
      started(),
      called("t", "update_tasks", { tasks: 3 }),
      outcome("t", "update_tasks", "error", "No list."),
    ]);
    expect(bad.tasks).toEqual([]);
    expect(screen(bad).commit).toContain("✗ update_tasks tasks=3 failed");
  });

  test("counts tokens and money over calls, and knows how full the context is", () => {
    const used = (cost?: number) =>
      frame("usage", {
        input_tokens: 100,
        output_tokens: 20,
        total_tokens: 120,
        model: "m",
        ...(cost === undefined ? {} : { cost_usd: cost }),
      });
    const view = folded([
      used(),
      used(0.5),
      frame("context_warning", { message: "Filling up.", limit_tokens: 1_000 }),
    ]);
    expect(view.usage).toEqual({ input: 200, output: 40, cached: 0, calls: 2, cost: 0.5, context: 120 });
    expect(view).toMatchObject({ contextLimit: 1_000, model: "m" });
    expect(folded([used()]).usage.cost).toBeUndefined();
  });

  test("says what waits to be heard until it is heard, or why it was not", () => {
    const said = (id: string, mode: string, input: string) =>
      frame("input_queued", { input_id: id, mode, input, actor: "me" });
    const view = folded([
      started(),
      said("i1", "steer", "Left."),
      said("i2", "queue", "Then right."),
      said("i3", "steer", "Late."),
    ]);
    expect(view.waiting.map(({ text }) => text)).toEqual(["Left.", "Then right.", "Late."]);
    const heard = folded(
      [
        frame("input_taken", { input_id: "i1", turn_id: "trn_1", step: 2 }),
        frame("input_taken", { input_id: "i3", dropped: "The turn was over." }),
        frame("turn_end", { turn_id: "trn_1", status: "completed" }),
        frame("turn_start", { turn_id: "trn_2", input: "Then right.", input_id: "i2" }),
      ],
      view,
    );
    expect(heard.waiting).toEqual([]);
    const { commit } = screen(heard);
    expect(commit).toContain("\n↪ Left.\n");
    expect(commit).toContain("Not said: “Late.”. The turn was over.");
    expect(commit).toContain("\n› Then right.");
  });

  test("parks with a question, goes on, and ends; what still ran then is said to be stopped", () => {
    const asked = folded([
      started(),
      called("c1", "shell", { command: "make" }),
      frame("approval_required", { request_id: "apr_1", tool_name: "write_file", reason: "It writes." }),
      frame("turn_end", { turn_id: "trn_1", status: "parked" }),
    ]);
    expect(asked).toMatchObject({ pending: ["apr_1"], turn: { id: "trn_1", parked: true } });
    const decided = folded(
      [
        frame("approval_applied", {
          request_id: "apr_1",
          tool_name: "write_file",
          decision: "approved",
          actor: "me",
          scope: { kind: "session", pattern: "write_file: a" },
        }),
        frame("session_state", { session_id: "ses_1", status: "running" }),
      ],
      asked,
    );
    expect(decided).toMatchObject({ pending: [], turn: { parked: false } });
    expect(screen(decided).live).toContain("✓ write_file approved by me for session: write_file: a");
    const end = folded(
      [frame("turn_end", { turn_id: "trn_1", status: "cancelled", reason: "enough" })],
      decided,
    );
    expect(end.turn).toBeNull();
    expect(screen(end)).toMatchObject({
      live: "",
      commit: expect.stringMatching(/\? shell make stopped[^]*─ cancelled after 0 ms: enough$/),
    });
  });

  test("drops what was superseded into the background, and shows the new attempt after it", () => {
    const view = folded([
      started(),
      token("Half an"),
      frame("output_superseded", { step: 1, attempt: 1, reason: "The connection broke." }),
      token("Whole."),
    ]);
    const { commit, live } = screen(view);
    expect(commit).toContain("Half an\n\n· Cut off: The connection broke.");
    expect(live).toBe("\nWhole.");
  });

  test("at the start of a branch leaves what waited to the session that asked", () => {
    const view = folded([
      started(),
      frame("approval_required", { request_id: "apr_1", tool_name: "shell", reason: "It runs." }),
      frame("session_checkpoint", {
        checkpoint_type: "resume_seed",
        summary_text: "From there.",
        session_id: "s",
        sequence: 1,
        status: "ok",
        resume_cursor: null,
      }),
    ]);
    expect(view).toMatchObject({ pending: [], turn: null });
    expect(screen(view).commit).toContain("· From there.");
  });

  test("takes no harm from what comes twice, is unknown or is broken", () => {
    const start = started();
    const one = token("Once.");
    const view = folded([start, one, one, frame("of_a_newer_server", { x: 1 })]);
    expect(screen(view).live).toBe("\nOnce.");
    const broken = evolve(view, frame("tool_batch", {}), 1_000);
    expect(broken).toEqual({ ...view, seq: broken.seq });
    expect(evolve(EMPTY_VIEW, { ...one, payload: null } as never, 0).items).toEqual([]);
  });

  test("lets no control sequence of a model or a tool through", () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u202egnp.exe\u009b31m";
    const view = folded([
      frame("turn_start", { turn_id: "trn_1", input: evil }),
      frame("thinking", { text: evil }),
      token(`# ${evil}\n\n\`${evil}\`\n\n[${evil}](http://x/${evil})\n\n| ${evil} |\n|-|\n| ${evil} |\n\n`),
      called("c", evil, { [evil]: evil }),
      outcome("c", evil, "error", evil),
      frame("error", { turn_id: "trn_1", code: evil, error: evil }),
    ]);
    const { commit, live } = screen(view, { ...SCENE, thinking: true });
    // oxlint-disable-next-line no-control-regex
    expect(commit + live).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(commit).toContain("\ufffd]0;owned\ufffd");
  });
});

describe("delegated work in the view", () => {
  const change = (more: object) =>
    frame("subagent_event", { agent_id: "subagent_1", parent_session_id: "ses_1", ...more });
  const asks = () =>
    change({ status: "awaiting_approval", request_id: "apr_1", tool_name: "shell", reason: "r" });

  test("has a line for its start and its end", () => {
    const view = folded([
      started(),
      change({ status: "started", task: "Count the stars." }),
      change({ status: "completed", summary: "Nine." }),
    ]);
    const { commit } = screen(view);
    expect(commit).toContain("subagent_1 started: Count the stars.");
    expect(commit).toContain("subagent_1 is done: Nine.");
  });

  test("counts for what was used, and not for how full the context is", () => {
    const own = { input_tokens: 10, output_tokens: 2, total_tokens: 12 };
    const view = folded([
      started(),
      frame("usage", own),
      frame("usage", { input_tokens: 500, output_tokens: 50, total_tokens: 550, subagent: "subagent_1" }),
    ]);
    expect(view.usage).toMatchObject({ input: 510, output: 52, context: 12, calls: 1 });
  });

  test("asks here what it asks, until somebody has decided", () => {
    const asking = folded([started(), asks(), asks()]);
    expect(asking.pending).toEqual(["apr_1"]);
    const decided = folded(
      [change({ status: "running", request_id: "apr_1", tool_name: "shell", decision: "approved" })],
      asking,
    );
    expect(decided.pending).toEqual([]);
    expect(screen(decided).commit).toContain("subagent_1 goes on (approved)");
  });
});
