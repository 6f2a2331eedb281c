import { useEffect, type ReactNode } from "react";
import icon from "../icon.svg";
import { Link, pathOf, usePlace } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { chooseTheme, theme, THEMES } from "../lib/theme.ts";
import { waiting } from "../lib/title.ts";
import { mayDecide, me } from "../state/me.ts";
import { lettersOff } from "../state/settings.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { leave } from "./leave.tsx";
import { openPalette, overlay } from "./overlay-state.ts";
import { returnToPlace } from "./return-to.ts";

export function Nav() {
  const count = useStore(waiting);
  const who = useStore(me);
  const letters = !useStore(lettersOff);
  useEffect(returnToPlace, []);
  return (
    <nav className="nav" aria-label="Main">
      <Link href="/" className="brand">
        <img src={icon} alt="" /> Fairlead
      </Link>
      <Item page="inbox" icon="inbox" label="Inbox">
        {count > 0 && mayDecide(who) ? (
          <span className="count">
            {count}
            <span className="hidden-text"> waiting</span>
          </span>
        ) : null}
      </Item>
      <Item page="sessions" icon="list" label="Sessions" also={["session", "compare"]} />
      <Item page="approvals" icon="shield" label="Approvals" also={["question"]} />
      {mayDecide(who) ? <Item page="start" icon="plus" label="New" /> : null}
      <button type="button" className="nav-link narrow-only" onClick={() => overlay.set("menu")}>
        <Icon name="panel" /> More
      </button>
      <div className="nav-end">
        <button type="button" className="nav-link wide-only" onClick={openPalette}>
          <Icon name="search" /> Search {letters ? <kbd>/</kbd> : null}
        </button>
        <ThemeButton />
        <button type="button" className="nav-link wide-only" onClick={leave}>
          <Icon name="out" /> Sign out
        </button>
        <p className="who">
          {who?.name} · {who?.role}
        </p>
      </div>
    </nav>
  );
}

function Item(props: {
  readonly page: "inbox" | "sessions" | "approvals" | "start";
  readonly icon: IconName;
  readonly label: string;
  readonly also?: readonly string[];
  readonly children?: ReactNode;
}) {
  const { page } = usePlace();
  const here = page === props.page || (props.also ?? []).includes(page ?? "");
  return (
    <Link href={pathOf(props.page)} className="nav-link" aria-current={here ? "page" : undefined}>
      <Icon name={props.icon} /> {props.label} {props.children}
    </Link>
  );
}

function ThemeButton() {
  const chosen = useStore(theme);
  const next = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length] ?? "system";
  return (
    <button type="button" className="nav-link wide-only" onClick={() => chooseTheme(next)}>
      <Icon name="sun" /> Theme: {chosen}
      <span className="hidden-text">, change it to {next}</span>
    </button>
  );
}
