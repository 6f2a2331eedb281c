import { useStore } from "../lib/store.ts";
import { chooseTheme, theme, THEMES } from "../lib/theme.ts";
import { me } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { Sheet } from "./dialog.tsx";
import { leave } from "./leave.tsx";
import { openPalette, overlay } from "./overlay-state.ts";
import { THEME_NAMES } from "./theme-names.ts";

/** What a narrow page has no room for beside its four places. */
export function Menu() {
  const who = useStore(me);
  const chosen = useStore(theme);
  return (
    <Sheet title="More">
      <button type="button" className="button" onClick={openPalette}>
        <Icon name="search" /> Search and commands
      </button>
      <fieldset className="choices">
        <legend className="small">Theme</legend>
        {THEMES.map((name) => (
          <label key={name} className="row">
            <input type="radio" name="theme" checked={chosen === name} onChange={() => chooseTheme(name)} />
            {THEME_NAMES[name]}
          </label>
        ))}
      </fieldset>
      <button type="button" className="button" onClick={() => overlay.set("help")}>
        <Icon name="book" /> Keyboard
      </button>
      <button type="button" className="button" onClick={() => (overlay.set(null), leave())}>
        <Icon name="out" /> Sign out
      </button>
      <p className="dim small">
        Signed in as {who?.name}, {who?.role}
      </p>
    </Sheet>
  );
}
