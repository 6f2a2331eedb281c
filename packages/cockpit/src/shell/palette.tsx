import { visible } from "@fairlead/contract/visible";
import type { SessionRow } from "@fairlead/contract";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { call, commandKey } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { chooseTheme, THEMES } from "../lib/theme.ts";
import { startDemo } from "../start/demo.ts";
import { inbox } from "../state/inbox.ts";
import { useMay } from "../state/me.ts";
import { debugTier, lettersOff } from "../state/settings.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Titled } from "../ui/titled.tsx";
import { leave } from "./leave.tsx";
import { closeOverlay, overlay } from "./overlay-state.ts";
import { THEME_NAMES } from "./theme-names.ts";

interface Command {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  readonly run: () => void;
}

const FIXED: readonly Command[] = [
  { id: "inbox", icon: "inbox", text: "Go to the inbox", run: () => navigate(pathOf("inbox")) },
  { id: "sessions", icon: "list", text: "Go to the sessions", run: () => navigate(pathOf("sessions")) },
  {
    id: "needs-me",
    icon: "hand",
    text: "Go to the sessions that need me",
    run: () => navigate(`${pathOf("sessions")}?needs=me`),
  },
  { id: "approvals", icon: "shield", text: "Go to the approvals", run: () => navigate(pathOf("approvals")) },
  { id: "new", icon: "plus", text: "New session", run: () => navigate(pathOf("start")) },
  {
    id: "demo",
    icon: "play",
    text: "Try the demo",
    run: () => void startDemo(commandKey()).catch(() => navigate(pathOf("start"))),
  },
  {
    id: "debug",
    icon: "bug",
    text: "Turn the debug tier on or off",
    run: () => debugTier.set(!debugTier.get()),
  },
  { id: "sign-out", icon: "out", text: "Sign out", run: leave },
  { id: "keys", icon: "book", text: "Keyboard shortcuts and settings", run: () => overlay.set("help") },
  {
    id: "letters",
    icon: "book",
    text: "Turn single-letter shortcuts on or off",
    run: () => lettersOff.set(!lettersOff.get()),
  },
  ...THEMES.map((name): Command => ({
    id: `theme-${name}`,
    icon: "sun",
    text: `Theme: ${THEME_NAMES[name]}`,
    run: () => chooseTheme(name),
  })),
];

/** What begins something: for who may only look, a dead end. */
const STARTS: ReadonlySet<string> = new Set(["new", "demo"]);

/** Everything one can do or go to, by typing a part of its name. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const sessions = useSessions(text);
  const may = useMay("operator");
  const { inbox: all } = useStore(inbox);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  const commands = useMemo(() => {
    const questions = (all?.entries ?? []).flatMap(({ request_id, tool_name, subject, title }): Command[] =>
      request_id === null
        ? []
        : [
            {
              id: request_id,
              icon: "hand",
              text: visible(["Decide:", tool_name, subject, title && `· ${title}`].filter(Boolean).join(" ")),
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
    const fixed = may ? FIXED : FIXED.filter(({ id: name }) => !STARTS.has(name));
    const named = [...questions, ...fixed].filter((command) =>
      words.every((word) => command.text.toLowerCase().includes(word)),
    );
    return [...named, ...listed].slice(0, 60);
  }, [text, sessions, all, may]);
  const chosen = commands[Math.min(at, commands.length - 1)];
  function run(command: Command | undefined): void {
    closeOverlay();
    command?.run();
  }
  return (
    <dialog ref={dialog} className="palette" aria-label="Commands" onClose={closeOverlay}>
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
      {commands.length > 0 ? null : (
        <p className="small dim" role="status">
          Nothing fits. Try fewer words, or a part of a title.
        </p>
      )}
      <ul id={`${id}-list`} role="listbox" aria-label="Commands" hidden={commands.length === 0}>
        {commands.map((command) => (
          <li
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            aria-selected={command === chosen}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />{" "}
            <span className="ellipsis">
              <Titled text={command.text} />
            </span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

const TYPING_MS = 150;

/** Those that the server finds for what is typed: it knows them all. */
function useSessions(text: string): readonly SessionRow[] {
  const [rows, setRows] = useState<readonly SessionRow[]>([]);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(
      () => {
        const search = text.trim().slice(0, 200);
        call("listSessions", { query: { limit: 20, ...(search === "" ? {} : { search }) } }).then(
          (page) => wanted && setRows(page.rows),
          () => {},
        );
      },
      text === "" ? 0 : TYPING_MS,
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  return rows;
}
