import { visible } from "@fairlead/contract/visible";
import type { SessionRow } from "@fairlead/contract";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { call } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { chooseTheme, THEMES } from "../lib/theme.ts";
import { startDemo } from "../start/demo.ts";
import { signOut } from "../state/identity.ts";
import { inbox } from "../state/inbox.ts";
import { debugTier } from "../state/settings.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { paletteOpen } from "./palette-state.ts";

interface Command {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  readonly run: () => void;
}

const FIXED: readonly Command[] = [
  { id: "inbox", icon: "inbox", text: "Go to the inbox", run: () => navigate(pathOf("inbox")) },
  { id: "sessions", icon: "list", text: "Go to the sessions", run: () => navigate(pathOf("sessions")) },
  { id: "approvals", icon: "shield", text: "Go to the approvals", run: () => navigate(pathOf("approvals")) },
  { id: "new", icon: "plus", text: "New session", run: () => navigate(pathOf("start")) },
  {
    id: "demo",
    icon: "play",
    text: "Try the demo",
    run: () => void startDemo().catch(() => navigate(pathOf("start"))),
  },
  {
    id: "debug",
    icon: "bug",
    text: "Turn the debug tier on or off",
    run: () => debugTier.set(!debugTier.get()),
  },
  { id: "sign-out", icon: "out", text: "Sign out", run: () => void signOut() },
  ...THEMES.map((name): Command => ({
    id: `theme-${name}`,
    icon: "sun",
    text: `Theme: ${name}`,
    run: () => chooseTheme(name),
  })),
];

/** Everything one can do or go to, by typing a part of its name. Ctrl-K or / opens it. */
export function Palette() {
  const open = useStore(paletteOpen);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      paletteOpen.set(!paletteOpen.get());
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return open ? <Opened /> : null;
}

function Opened() {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const sessions = useSessions();
  const { inbox: all } = useStore(inbox);
  useEffect(() => dialog.current?.showModal(), []);
  const commands = useMemo(() => {
    const questions = (all?.entries ?? []).flatMap(({ request_id, tool_name, reason }): Command[] =>
      request_id === null
        ? []
        : [
            {
              id: request_id,
              icon: "hand",
              text: visible(`Decide: ${tool_name ?? ""} ${reason}`),
              run: () => navigate(pathOf("question", { id: request_id })),
            },
          ],
    );
    const listed = sessions.map(({ session_id, title }): Command => ({
      id: session_id,
      icon: "chevron",
      text: visible(title ?? session_id),
      run: () => navigate(pathOf("session", { id: session_id })),
    }));
    const words = text.toLowerCase().split(/\s+/);
    return [...questions, ...FIXED, ...listed]
      .filter((command) => words.every((word) => command.text.toLowerCase().includes(word)))
      .slice(0, 40);
  }, [text, sessions, all]);
  const chosen = commands[Math.min(at, commands.length - 1)];
  function run(command: Command | undefined): void {
    paletteOpen.set(false);
    command?.run();
  }
  return (
    <dialog ref={dialog} className="palette" aria-label="Commands" onClose={() => paletteOpen.set(false)}>
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        aria-label="Search commands and sessions"
        placeholder="Where to, or what to do?"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, commands.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") run(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Commands">
        {commands.map((command) => (
          <li
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            aria-selected={command === chosen}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} /> <span className="ellipsis">{command.text}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function useSessions(): readonly SessionRow[] {
  const [rows, setRows] = useState<readonly SessionRow[]>([]);
  useEffect(() => {
    call("listSessions", { query: { limit: 200 } }).then(
      (page) => setRows(page.rows),
      () => {},
    );
  }, []);
  return rows;
}
