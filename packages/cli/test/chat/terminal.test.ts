import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { background, callJson, cli, makePlace, type Place, serve } from "../support.ts";
import { keepScreen, noTerminal, openPane } from "./pane.ts";

const WIDE = { columns: 92, rows: 46 };

/** With the demo in place of a script, and something to look at. */
function demoPlace(): Place {
  const place = makePlace();
  const { FAIRLEAD_SCRIPT: _, ...env } = place.env;
  mkdirSync(join(place.cwd, "src"));
  writeFileSync(join(place.cwd, "README.md"), "# Harbour\n\nTODO: a lighthouse.\n");
  writeFileSync(join(place.cwd, "src/index.ts"), "export const light = true;\n");
  return { ...place, env: { ...env, npm_lifecycle_event: "fairlead" } };
}

function scripted(rules: readonly object[]): Place {
  const place = makePlace();
  writeFileSync(place.env["FAIRLEAD_SCRIPT"] ?? "", JSON.stringify({ rules }));
  return place;
}

const WRITE: { readonly rounds: readonly [readonly object[], readonly object[]] } = {
  rounds: [
    [{ call: "write_file", with: { path: "note.md", content: "# Hello\n" } }],
    [{ when_failed: true, do: [{ say: "I was told: {{result}}" }] }, { do: [{ say: "Written." }] }],
  ],
};

// What it is skipped for is in the name, so that a report says it.
describe.skipIf(noTerminal !== undefined)(
  `a chat in a terminal${noTerminal === undefined ? "" : ` (${noTerminal})`}`,
  () => {
    test(
      "plays the demo beside a server, and writes only after a yes by key",
      { timeout: 90_000 },
      async () => {
        const place = demoPlace();
        await serve(place);
        const pane = openPane(place, ["chat"], WIDE);
        await pane.until(/ready/);
        pane.say("What can you do?");
        await pane.until(/y yes {2}n no/);
        expect(existsSync(join(place.cwd, "fairlead-demo.md"))).toBe(false);
        expect(pane.screen(true)).toContain("\u001b[49m+# A note from the demo\u001b[39m");
        expect(pane.screen()).toMatch(/risk medium[^]*▏ \+# A note[^]*Tasks 1\/3[^]*◆ waits for you/);
        keepScreen("approval-diff", pane.screen());
        pane.press("y");
        const all = await pane.until(/─ done in/);
        expect(readFileSync(join(place.cwd, "fairlead-demo.md"), "utf8")).toContain("# A note from the demo");
        expect(all).toMatch(
          /✓ list_files \*\*\/\*\.md ok \d+ ms\n✓ read_file README\.md .* ok \d+ ms\n✓ local_search TODO ok/,
        );
        expect(all).toMatch(/✓ write_file approved by \S+/);
        expect(all).toMatch(/✗ read_file notes\/fairlead-demo\.md not run\n {2}\S/);
        // Printed once: nothing of the live area is left behind in what scrolls away.
        expect(all.match(/◆ write_file asks/g)).toHaveLength(1);
        expect(all.match(/working \d/g)).toBeNull();
        keepScreen("chat-demo", all);
        pane.press("C-d");
        await pane.until(/Go on: npm run fairlead -- chat --session ses_\w+/);
      },
    );

    test(
      "steers, queues and cancels by key, goes on later, and branches from a list",
      { timeout: 60_000 },
      async () => {
        const place = makePlace();
        const pane = openPane(place, ["chat", "--title", "Harbour"], WIDE);
        await pane.until(/ready/);
        pane.say("please hang");
        await pane.until(/Once upon a time/);
        pane.say("hear this");
        await pane.until(/it hears next: hear this/);
        pane.press("-l", "and then this");
        pane.press("M-Enter");
        await pane.until(/queued: and then this/);
        pane.press("C-c");
        await pane.until(/─ cancelled after .*cancelled at the terminal/);
        await pane.until(/Not said: “hear this”[^]*Answer to and then this\.[^]*ready/);
        pane.say("one more");
        await pane.until(/Answer to one more\.[^]*ready/);
        pane.press("Up");
        await pane.until(/› one more\n○ ready/);
        pane.press("C-c");
        pane.press("C-c");
        const end = await pane.until(/chat --session (ses_\w+)/);
        const session = /chat --session (ses_\w+)/.exec(end)?.[1] ?? "";
        const history = join(place.config, "chat-history");
        expect(readFileSync(history, "utf8")).toBe(
          '"please hang"\n"hear this"\n"and then this"\n"one more"\n',
        );
        expect(statSync(history).mode & 0o777).toBe(0o600);

        const again = openPane(place, ["chat", "--session", session], WIDE);
        const past = await again.until(/ready/);
        expect(past).toMatch(
          /↻ Harbour · …\w+ · 1 earlier turn is not shown\n\n› and then this\n\nAnswer to and then this\./,
        );
        again.say("/branch");
        await again.until(/❯ after one more/);
        again.press("Down", "Enter");
        await again.until(/↻ [^\n]*\n[^]*ready/);
        again.say("another way");
        await again.until(/Answer to another way\.[^]*ready/);
        again.press("C-d");
        await again.until(/Go on:/);
        const { rows } = await callJson<{ rows: { parent_session_id?: string }[] }>(place, ["sessions"]);
        expect(rows).toHaveLength(2);
        expect(rows.some(({ parent_session_id }) => parent_session_id === session)).toBe(true);
      },
    );

    test("stays when something was typed between one Ctrl-C and the next", { timeout: 60_000 }, async () => {
      const pane = openPane(makePlace(), ["chat"], WIDE);
      await pane.until(/ready/);
      pane.press("C-c", "x", "C-c");
      await pane.until(/Ctrl-C again leaves|ended with/);
      pane.say("still here");
      await pane.until(/Answer to still here\.[^]*ready/);
    });

    test("fits 40 columns without colour, and a no carries its reason", { timeout: 60_000 }, async () => {
      const place = scripted([WRITE]);
      await serve(place);
      const pane = openPane(place, ["chat"], { columns: 40, rows: 24 }, { NO_COLOR: "1" });
      await pane.until(/ready/);
      pane.say("Leave a note, please");
      await pane.until(/y yes/);
      keepScreen("narrow", pane.screen());
      pane.press("n");
      await pane.until(/Why not\?/);
      pane.say("Use the wiki.");
      const all = await pane.until(/─ done/);
      expect(all).toMatch(/⊘ write_file denied by \S+: Use the\s+wiki\./);
      expect(all).toContain("I was told:");
      expect(existsSync(join(place.cwd, "note.md"))).toBe(false);
      expect(pane.screen(true)).not.toContain("\u001b[");
      for (const row of all.split("\n")) expect([...row].length).toBeLessThanOrEqual(40);
      keepScreen("no-colour", all);
    });

    test(
      "asks how far a yes reaches, and saves the pattern that was edited",
      { timeout: 60_000 },
      async () => {
        const place = scripted([WRITE]);
        await serve(place);
        const pane = openPane(place, ["chat"], WIDE);
        await pane.until(/ready/);
        pane.say("write");
        await pane.until(/y yes/);
        // Whoever writes decides nothing: the letters are text.
        pane.press("-l", "hello y");
        await pane.until(/waits until you have written/);
        expect((await callJson<{ rows: { state: string }[] }>(place, ["approvals"])).rows).toMatchObject([
          { state: "pending" },
        ]);
        pane.press("C-u");
        await pane.until(/y yes/);
        pane.press("s");
        await pane.until(/❯ this call/);
        pane.press("-l", "this sess");
        pane.press("Enter");
        await pane.until(/Allow without asking[^]*\? write_file: note\.md/);
        pane.press("C-w");
        pane.press("-l", "*.md");
        pane.press("Enter");
        await pane.until(/approved by \S+ for session: write_file: \*\.md[^]*Written\./);
        expect(await callJson(place, ["approvals", "patterns"])).toMatchObject({
          rows: [{ scope: "session", pattern: "write_file: *.md", state: "active" }],
        });
      },
    );

    test(
      "gives arguments to the person's own editor, and thoughts by a key",
      { timeout: 60_000 },
      async () => {
        const place = scripted([
          { rounds: [[{ think: "Deep thoughts." }, ...WRITE.rounds[0]], WRITE.rounds[1]] },
        ]);
        const pane = openPane(place, ["chat"], WIDE, { EDITOR: "sed -i s/Hello/Goodbye/" });
        await pane.until(/ready/);
        pane.say("write");
        const asked = await pane.until(/y yes/);
        expect(asked).toMatch(/∴ thought, 14 characters/);
        expect(asked).not.toContain("Deep thoughts.");
        pane.press("C-t");
        await pane.until(/ {2}Deep thoughts\./);
        pane.press("e");
        await pane.until(/✎ write_file edited by[^]*Written\.[^]*ready/);
        expect(readFileSync(join(place.cwd, "note.md"), "utf8")).toBe("# Goodbye\n");
      },
    );

    test(
      "asks again when it is opened later, on a low screen too, and lets go when someone else decides",
      { timeout: 60_000 },
      async () => {
        const place = scripted([WRITE]);
        await serve(place);
        const pane = openPane(place, ["chat"], WIDE);
        await pane.until(/ready/);
        pane.say("write");
        await pane.until(/y yes/);
        pane.press("C-d");
        const end = await pane.until(/chat --session ses_\w+/);
        expect(end).toContain("The turn goes on without you.");
        const again = openPane(place, ["chat", "--session", /ses_\w+/.exec(end)?.[0] ?? ""], {
          columns: 60,
          rows: 8,
        });
        const asked = await again.until(/y yes/);
        expect(asked).toMatch(/◆ write_file asks[^]*▏ \+# Hello/);
        const { rows } = await callJson<{ rows: { request_id: string }[] }>(place, ["approvals"]);
        await callJson(place, ["approve", rows[0]?.request_id ?? ""]);
        const all = await again.until(/✓ write_file approved by \S+[^]*Written\.[^]*○ ready/);
        expect(all).not.toContain("y yes");
        expect(all.match(/Written\./g)).toHaveLength(1);
      },
    );

    test("says to the open turn what is sent while it works", { timeout: 60_000 }, async () => {
      const wait = "while [ ! -e go ]; do sleep 0.1; done";
      const place = scripted([
        { when: "left", do: [{ say: "I turn left." }] },
        { rounds: [[{ call: "shell", with: { command: wait } }], [{ say: "Nobody spoke." }]] },
      ]);
      const pane = openPane(place, ["chat", "--permission-mode", "full_access"], WIDE);
      await pane.until(/ready/);
      pane.say("start");
      await pane.until(/● shell while .* running/);
      pane.say("rather left");
      await pane.until(/it hears next: rather left/);
      writeFileSync(join(place.cwd, "go"), "");
      const all = await pane.until(/I turn left\.[^]*─ done/);
      expect(all).toMatch(/✓ shell while .* ok [^]*↪ rather left\n\nI turn left\./);
    });

    test("shows how full the context is from the first call on", { timeout: 60_000 }, async () => {
      const place = makePlace();
      const provider = background(place, ["model", "serve", "--port", "0", "--json"]);
      const base_url = `${await provider.until(/http:\/\/127\.0\.0\.1:\d+/)}/v1`;
      const model = { name: "small", provider: "compatible", model: "any", base_url, context_tokens: 8_000 };
      writeFileSync(join(place.cwd, "fairlead.yaml"), JSON.stringify({ models: [model] }));
      // A script in the environment goes before all models.
      const { FAIRLEAD_SCRIPT: _, ...env } = place.env;
      const pane = openPane({ ...place, env }, ["chat"], WIDE);
      await pane.until(/ready/);
      pane.say("one");
      const all = await pane.until(/○ ready .* ctx \d+%/);
      expect(all).not.toContain("of the model's context");
      pane.say("/cost");
      await pane.until(/context +\S+ of 8\.0k after the last call/);
    });

    test("lets no model write to the terminal but text", { timeout: 60_000 }, async () => {
      const place = scripted([{ do: [{ say: "A\u001b]0;owned\u0007B\u001b[2J\u001b[31mC\n\nend" }] }]);
      const pane = openPane(place, ["chat"], WIDE);
      await pane.until(/ready/);
      const title = pane.ask("#{pane_title}");
      pane.say("go");
      const all = await pane.until(/─ done/);
      expect(all).toMatch(/Fairlead[^]*› go\n\nA.\]0;owned.B.\[2J.\[31mC\n\nend/);
      expect(pane.ask("#{pane_title}")).toBe(title);
    });

    test(
      "completes files and commands, changes modes, and says what it does not know",
      { timeout: 60_000 },
      async () => {
        const place = demoPlace();
        const pane = openPane(place, ["chat"], WIDE);
        await pane.until(/ready/);
        pane.press("-l", "see @ind");
        pane.press("Tab");
        await pane.until(/› see @src\/index\.ts/);
        pane.press("C-u");
        pane.press("-l", "/mode pl");
        pane.press("Tab");
        await pane.until(/› \/mode plan/);
        pane.press("Enter");
        await pane.until(/permission mode is plan[^]*ready · default model · plan/);
        pane.say("/moodle");
        await pane.until(/There is no \/moodle\. Did you mean \/model\?/);
        pane.say("/model");
        await pane.until(/Which model\?[^]*scripted +in use, default/);
        pane.press("Enter");
        await pane.until(/model is scripted from the next step on/);
        pane.say("/tasks");
        await pane.until(/No tasks/);
        pane.press("?");
        await pane.until(/Commands\n[^]*\/verify[^]*Keys\n[^]*Ctrl-T/);
        pane.say("/sessions");
        await pane.until(/There is no other session yet/);
        pane.say("/quit");
        expect((await pane.ended()).code).toBe(0);
        expect((await callJson<{ rows: object[] }>(place, ["sessions"])).rows).toEqual([]);
      },
    );

    test(
      "goes on by itself when the server was away, and when the window changes its size",
      { timeout: 90_000 },
      async () => {
        const place = makePlace();
        const first = await serve(place);
        const pane = openPane(place, ["chat"], WIDE);
        await pane.until(/ready/);
        pane.say("one");
        await pane.until(/Answer to one\.[^]*ready/);
        first.child.kill("SIGTERM");
        await first.ended;
        await pane.until(/reconnecting …/);
        pane.say("not lost");
        await pane.until(/Is the server running[^]*› not lost/);
        pane.press("C-u");
        pane.press("-l", "nor this");
        pane.press("M-Enter");
        await pane.until(/(Is the server running[^]*){2}› nor this/);
        pane.press("C-u");
        pane.say("/queue nor that");
        await pane.until(/(Is the server running[^]*){3}› \/queue nor that/);
        pane.press("C-u");
        await serve(place, ["--port", new URL(first.url).port]);
        await pane.until(/○ ready · (?!reconnecting)/);
        pane.resize(50, 20);
        pane.say("two");
        const all = await pane.until(/Answer to two\.[^]*ready/);
        expect(all.match(/Answer to one\./g)).toHaveLength(1);
        expect(all.match(/› two/g)).toHaveLength(1);
      },
    );

    test("with TERM=dumb works by typed lines, questions too", { timeout: 60_000 }, async () => {
      const place = scripted([WRITE]);
      const pane = openPane(place, ["chat"], WIDE, { TERM: "dumb" });
      await pane.until(/^>/);
      pane.say("write");
      await pane.until(/Allow write_file\? y, or n and why:/);
      pane.say("maybe");
      await pane.until(/why: maybe\nAllow write_file\?/);
      pane.say("y");
      await pane.until(/Written\.\n>/);
      pane.say("/quit");
      await pane.until(/go on: npm run fairlead -- chat --session/);
      expect(readFileSync(join(place.cwd, "note.md"), "utf8")).toBe("# Hello\n");
    });

    test("says that a session does not exist before anything is drawn", { timeout: 60_000 }, async () => {
      const place = makePlace();
      await cli(place, ["run", "hello"]);
      const pane = openPane(place, ["chat", "--session", "nobody"], WIDE);
      const { text, code } = await pane.ended();
      expect(code).toBe(1);
      expect(text).toMatch(/^error .*\(session_not_found\)/);
    });
  },
);
