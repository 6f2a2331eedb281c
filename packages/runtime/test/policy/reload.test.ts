import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  evaluatePolicy,
  openPolicies,
  type Policies,
  type Policy,
  policyFiles,
  type PolicySource,
  type Problem,
} from "../../src/policy.ts";
import { eventOf, inputOf } from "./support.ts";

const rule = (id: string, decide: string) =>
  `rules:\n  - { id: ${id}, on: [pre_action], decide: ${decide}, reason: Because. }\n`;

let directory: string;
let policies: Policies | undefined;
let changed: Policy[];
let refused: (readonly Problem[])[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "fairlead-policies-"));
  changed = [];
  refused = [];
});
afterEach(() => {
  policies?.close();
  policies = undefined;
  rmSync(directory, { recursive: true, force: true });
});

const write = (name: string, text: string) => writeFileSync(join(directory, name), text);

async function open(directories: readonly string[] = [directory]): Promise<Policies> {
  const opened = await openPolicies({
    source: policyFiles({ directories, settleMs: 20, pollMs: 100 }),
    onChanged: (policy) => changed.push(policy),
    onRefused: (errors) => refused.push(errors),
  });
  if (!opened.ok) throw new Error(opened.errors[0]?.message);
  policies = opened.policies;
  return policies;
}

const decision = () => {
  const outcome = evaluatePolicy((policies as Policies).current(), inputOf(eventOf({})));
  return outcome.kind === "decided" ? outcome.decision.decision : outcome.kind;
};

describe("rules that change while they are in force", () => {
  it("are not read while they are being written, and those in force stay", async () => {
    write("a.yaml", rule("a", "block"));
    await open();
    let writing = true;
    let count = 0;
    const busy = (): void => {
      if (!writing) return;
      write("a.yaml", `${rule("a", "allow")}# ${"x".repeat(count++ % 50)}\n`);
      setImmediate(busy);
    };
    busy();
    await expect(policyFiles({ directories: [directory] }).read()).rejects.toThrow(
      /change while they are read/,
    );
    writing = false;
  });
  it("are swapped when the file is saved", async () => {
    write("a.yaml", rule("a", "block"));
    await open();
    expect(decision()).toBe("block");
    write("a.yaml", rule("a", "escalate"));
    await vi.waitFor(() => expect(decision()).toBe("escalate"), 5_000);
    expect(changed.at(-1)?.hash).toBe(policies?.current().hash);
    expect(refused).toEqual([]);
  });

  it("stay when a file is saved broken, and are swapped when it is mended", async () => {
    write("a.yaml", rule("a", "block"));
    write("b.yaml", rule("b", "escalate").replace("on: [pre_action]", "on: [pre_prompt]"));
    const { hash } = (await open()).current();
    write("b.yaml", rule("b", "blok"));
    await vi.waitFor(() => expect(refused).toHaveLength(1), 5_000);
    expect(refused[0]).toMatchObject([
      { file: join(directory, "b.yaml"), line: 2, column: 40, code: "bad_decision" },
    ]);
    expect(policies?.current().hash).toBe(hash);
    expect(decision()).toBe("block");
    expect(changed).toEqual([]);
    write("b.yaml", rule("b", "allow").replace("on: [pre_action]", "on: [pre_prompt]"));
    await vi.waitFor(() => expect(policies?.current().hash).not.toBe(hash), 5_000);
    expect(changed).toHaveLength(1);
  });

  it("stay when a file is cut, emptied, or all are gone", async () => {
    write("a.yaml", rule("a", "block"));
    const { hash } = (await open()).current();
    for (const damage of [
      () => write("a.yaml", ""),
      () => write("a.yaml", rule("a", "block").slice(0, 30)),
      () => rmSync(join(directory, "a.yaml")),
      () => rmSync(directory, { recursive: true }),
    ]) {
      const before = refused.length;
      damage();
      await vi.waitFor(() => expect(refused.length).toBeGreaterThan(before), 5_000);
      expect(policies?.current().hash).toBe(hash);
    }
    mkdirSync(directory);
    write("a.yaml", rule("a", "escalate"));
    await vi.waitFor(() => expect(decision()).toBe("escalate"), 5_000);
  });

  it("are swapped as a whole: files that change together count together", async () => {
    write("a.yaml", rule("a", "block"));
    await open();
    write("a.yaml", rule("b", "escalate"));
    write("b.yaml", rule("a", "block").replace("pre_action", "pre_prompt"));
    await vi.waitFor(() => expect(policies?.current().rules.map(({ id }) => id)).toEqual(["b", "a"]), 5_000);
    for (const { rules } of changed) expect(rules.map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
  });

  it("are swapped when an editor puts another file in its place, and not by cases or other files", async () => {
    write("a.yaml", rule("a", "block"));
    await open();
    write("a.test.yaml", "not: [read");
    write("notes.md", "x");
    write("a.yaml.tmp", rule("a", "defer"));
    writeFileSync(join(directory, ".a.swp"), "x");
    write("new", rule("a", "escalate"));
    renameSync(join(directory, "new"), join(directory, "a.yaml"));
    await vi.waitFor(() => expect(decision()).toBe("escalate"), 5_000);
    expect(refused).toEqual([]);
  });

  it("come from several directories, of which a later one replaces files of the same name", async () => {
    const own = join(directory, "own");
    mkdirSync(own);
    write("a.yaml", rule("a", "block"));
    write("b.yaml", rule("b", "escalate").replace("pre_action", "pre_prompt"));
    await open([directory, own]);
    expect(decision()).toBe("block");
    writeFileSync(join(own, "a.yaml"), "rules: []\n");
    await vi.waitFor(() => expect(policies?.current().rules.map(({ id }) => id)).toEqual(["b"]), 5_000);
  });

  it("are refused at the start, when there are none to stay with", async () => {
    const source = policyFiles({ directories: [directory] });
    expect(await openPolicies({ source })).toMatchObject({ ok: false, errors: [{ code: "not_readable" }] });
    write("a.yaml", "rules: [");
    expect(await openPolicies({ source })).toMatchObject({
      ok: false,
      errors: [{ code: "not_yaml", line: 1, column: 9 }],
    });
    const gone = policyFiles({ directories: [join(directory, "gone")] });
    expect(await openPolicies({ source: gone })).toMatchObject({
      ok: false,
      errors: [{ code: "not_readable" }],
    });
  });
});

it("of reloads that overlap the last one read is the one that stays", async () => {
  const waiting: ((text: string) => void)[] = [];
  const source: PolicySource = {
    read: () => new Promise((resolve) => waiting.push((text) => resolve([{ path: "a.yaml", text }]))),
    watch: () => () => {},
  };
  const answerAll = async (text: string) => {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    waiting.shift()?.(text);
  };
  const opening = openPolicies({ source });
  await answerAll(rule("a", "block"));
  await answerAll(rule("a", "block"));
  const opened = await opening;
  if (!opened.ok) throw new Error("refused");
  ({ policies } = opened);
  const [one, two] = [policies.reload(), policies.reload()];
  await answerAll(rule("one", "block"));
  await answerAll(rule("two", "block"));
  await Promise.all([one, two]);
  expect(policies.current().rules.map(({ id }) => id)).toEqual(["two"]);
  const broken = policies.reload();
  await answerAll("rules: {");
  expect(await broken).toMatchObject({ ok: false });
  expect(policies.current().rules.map(({ id }) => id)).toEqual(["two"]);
});
