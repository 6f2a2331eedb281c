import type { Environment } from "../host.ts";
import { newEditor } from "./editor.ts";
import { editExternally } from "./external-editor.ts";
import type { Overlay } from "./overlay.ts";
import { newPicker } from "./picker.ts";
import type { Shell } from "./shell.ts";
import type { Terminal } from "./terminal.ts";
import type { Ui } from "./ui.ts";

/** Until then a new question takes no key: whoever was typing would decide by accident. */
const GRACE_MS = 400;

/** Questions as overlays over the input. One at a time: a second one puts the first away. */
export function shellUi(shell: Shell, terminal: () => Terminal, env: Environment): Ui {
  const { desktop } = shell;

  function shown<T>(
    make: (done: (value: T | undefined) => void) => Overlay,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const finish = (value: T | undefined): void => {
        signal?.removeEventListener("abort", aborted);
        if (desktop.overlay === overlay || sameDone(desktop.overlay, overlay)) desktop.overlay = null;
        resolve(value);
        shell.changed();
      };
      const aborted = (): void => finish(undefined);
      const overlay = make(finish);
      const before = desktop.overlay;
      desktop.overlay = overlay;
      before?.done(undefined);
      signal?.addEventListener("abort", aborted, { once: true });
      shell.changed();
    });
  }

  return {
    get width() {
      return shell.width;
    },
    print: shell.print,
    async ask(label, initial = "", signal) {
      const kept = desktop.editor;
      desktop.editor = newEditor([], initial);
      try {
        return await shown<string>((done) => ({ kind: "ask", label, done }), signal);
      } finally {
        desktop.editor = kept;
      }
    },
    pick<T>(title: string, options: Parameters<Ui["pick"]>[1], signal?: AbortSignal) {
      return shown<T>(
        (done) => ({
          kind: "pick",
          picker: newPicker(title, options),
          done: done as (value: unknown) => void,
        }),
        signal,
      );
    },
    key(question, signal) {
      const asked = shown<string>(
        (done) => ({ kind: "key", question, ready: false, away: false, done }),
        signal,
      );
      const mine = desktop.overlay;
      setTimeout(() => {
        if (desktop.overlay !== mine || mine?.kind !== "key") return;
        desktop.overlay = { ...mine, ready: true };
        shell.changed();
      }, GRACE_MS);
      return asked;
    },
    async external(text) {
      if (!env["VISUAL"] && !env["EDITOR"]) return undefined;
      shell.clear();
      return terminal().lend(() => editExternally(env, text));
    },
  };
}

/** An overlay that was changed by a key is still the one that was asked. */
function sameDone(a: Overlay | null, b: Overlay): boolean {
  return a?.done === b.done;
}
