import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ReadStream, WriteStream } from "node:tty";
import type { Backend } from "../backend.ts";
import type { Host } from "../host.ts";
import { tell } from "../failure.ts";
import { type Desk, runSlash } from "./commands.ts";
import { createConversation, type Settings } from "./conversation.ts";
import { askDecision } from "./decide.ts";
import { typed } from "./editor.ts";
import { workspaceFiles } from "./files.ts";
import { greeting, parting, resumed } from "./greeting.ts";
import { helpLines } from "./help.ts";
import { keepHistory, loadHistory } from "./history.ts";
import { type Commands, pressed } from "./keyboard.ts";
import { createLeaveKey } from "./leave-key.ts";
import { leftOut } from "./past.ts";
import { thoughtLines } from "./render-item.ts";
import { createShell } from "./shell.ts";
import { shellUi } from "./shell-ui.ts";
import { slashOf } from "./slash.ts";
import { type Line, line, paint } from "./span.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export interface TerminalOptions {
  readonly host: Host;
  readonly backend: Backend;
  readonly version: string;
  readonly config: string;
  readonly session: string | undefined;
  readonly settings: Settings;
  readonly colour: boolean;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
}

/** A conversation at a terminal, until the person leaves. */
export async function runTerminal(options: TerminalOptions): Promise<void> {
  const { host, backend, version, signal, stdin, stdout, colour } = options;
  const left = Promise.withResolvers<void>();
  const historyFile = join(options.config, "chat-history");
  const leaveKey = createLeaveKey(() => performance.now());
  let files: readonly string[] = [];
  let deciding: AbortController | undefined;
  let decidingOn: string | undefined;

  const conversation = createConversation({
    backend,
    settings: options.settings,
    now: Date.now,
    changed,
    failed: complain,
  });
  // Looked up first: a session that does not exist is told before the terminal changes.
  const first =
    options.session === undefined ? undefined : (await backend.getSession(options.session)).session_id;

  const terminal: Terminal = openTerminal(stdin, stdout, {
    key(key) {
      if (!(key.ctrl && key.name === "c")) leaveKey.other();
      pressed(shell.desktop, key, commands);
      shell.changed();
    },
    paste(text) {
      leaveKey.other();
      shell.desktop.editor = typed(shell.desktop.editor, text);
      shell.changed();
    },
    resize: () => shell.resized(),
    back: () => shell.resized(),
  });
  const shell = createShell({
    terminal,
    conversation: () => conversation,
    history: loadHistory(historyFile),
    colour,
  });
  const ui = shellUi(shell, () => terminal, host.env);
  const desk: Desk = { ui, backend, conversation, resume, fresh, quit: left.resolve };

  function complain(error: unknown): void {
    const { message, hint } = tell(error, { self: host.self });
    shell.print([line(message, "red"), ...(hint === "" ? [] : [line(`  ${hint}`, "dim")])]);
  }

  const trying = (work: () => Promise<void> | void): void =>
    void Promise.resolve().then(work).catch(complain);

  function changed(): void {
    if (conversation.view.pending[0] !== decidingOn) deciding?.abort();
    if (deciding === undefined && shell.desktop.overlay === null) decide();
    shell.changed();
  }

  function decide(): void {
    const row = conversation.question;
    if (row === undefined) return;
    deciding = new AbortController();
    decidingOn = row.request_id;
    askDecision(ui, row, deciding.signal)
      .then(
        (decision) =>
          decision && backend.decideQuestion(row.request_id, decision).then(() => settled(row.request_id)),
      )
      .catch(complain)
      .finally(() => {
        deciding = undefined;
        decidingOn = undefined;
        setImmediate(changed);
      });
  }

  /** The log says it next; until then it is not asked again. */
  function settled(id: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!conversation.view.pending.includes(id) || signal.aborted) resolve();
        else setTimeout(look, 20);
      };
      look();
    });
  }

  async function resume(ref: string): Promise<void> {
    const row = await conversation.open(ref);
    show(row);
  }

  function show(row: Parameters<typeof resumed>[0]): void {
    shell.reset();
    const { items, turns } = leftOut(conversation.view.items);
    conversation.forget(items);
    early(resumed(row, turns, shell.width));
    void listFiles();
    changed();
  }

  /** Above what is printed next, not below it. */
  function early(lines: readonly Line[]): void {
    shell.clear();
    for (const row of lines) terminal.write(`${paint(row, colour)}\r\n`);
  }

  function fresh(settings: Settings): void {
    conversation.fresh(settings);
    shell.reset();
    shell.print([line("A new session begins with what you say next.", "dim")]);
  }

  async function listFiles(): Promise<void> {
    const { workspace } = conversation.view;
    files = await workspaceFiles(workspace !== null && existsSync(workspace) ? workspace : host.cwd);
  }

  /** What could not be said is not lost. */
  const giveBack =
    (text: string) =>
    (error: unknown): never => {
      const { desktop } = shell;
      if (desktop.editor.text === "") desktop.editor = typed(desktop.editor, text);
      throw error;
    };

  const commands: Commands = {
    send(text) {
      keepHistory(historyFile, text);
      const slash = slashOf(text);
      trying(() => (slash === null ? conversation.send(text) : runSlash(desk, slash)).catch(giveBack(text)));
    },
    queue(text) {
      keepHistory(historyFile, text);
      trying(() => conversation.queue(text).catch(giveBack(text)));
    },
    interrupt() {
      if (leaveKey.pressed()) return left.resolve();
      if (conversation.view.turn === null) {
        shell.desktop.editor = { ...shell.desktop.editor, text: "", cursor: 0 };
        shell.desktop.hint = "Ctrl-C again leaves.";
        return;
      }
      shell.desktop.hint = "Cancelling … Ctrl-C again leaves.";
      trying(async () => {
        await conversation.cancel().finally(leaveKey.done);
        shell.desktop.hint = null;
      });
    },
    leave: left.resolve,
    toggleThinking() {
      const { desktop } = shell;
      desktop.thinking = !desktop.thinking;
      const { lastThinking, items } = conversation.view;
      const live = items.some(({ kind }) => kind === "thinking");
      if (desktop.thinking && !live && lastThinking !== "")
        shell.print(thoughtLines(lastThinking, shell.width));
      desktop.hint = desktop.thinking ? "Thinking is shown." : "Thinking is folded away.";
    },
    help: () => shell.print(helpLines(shell.width)),
    suspend() {
      shell.clear();
      terminal.lend(() => process.kill(process.pid, "SIGTSTP"));
    },
    files() {
      void listFiles();
      return files;
    },
  };

  try {
    await listFiles();
    early(
      greeting(
        version,
        backend.shared ? backend.name : "without a server: this process runs the turns",
        shell.width,
      ),
    );
    if (first !== undefined) {
      await resume(first);
      if (Object.keys(options.settings).length > 0) await conversation.configure(options.settings);
    }
    changed();
    signal.addEventListener("abort", () => left.resolve(), { once: true });
    if (!signal.aborted) await left.promise;
  } finally {
    deciding?.abort();
    shell.close();
    terminal.close();
    const open = conversation.view.turn === null ? null : backend.shared ? "there" : "here";
    for (const row of parting(conversation.session, host.self, open)) stdout.write(`${paint(row, colour)}\n`);
    conversation.close();
  }
}
