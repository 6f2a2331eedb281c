import { useStore } from "../lib/store.ts";
import { lettersOff } from "../state/settings.ts";
import { Sheet } from "./dialog.tsx";

const ALWAYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["Ctrl", "K"], "Commands and sessions, from anywhere"],
  [["Tab"], "The next thing on the page"],
  [["Enter"], "Open, or press what has the focus"],
  [["Esc"], "Close what lies over the page"],
];
const LETTERS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["j", "k"], "The next and the one before, in the inbox"],
  [["a"], "Approve: shown first, sent with another press"],
  [["d"], "Deny"],
  [["e"], "Edit the arguments of what is asked"],
  [["s"], "Mark seen"],
  [["/"], "Search"],
  [["?"], "This list"],
];

/** Every key that does something, and the switch for those that are single letters. */
export function Help() {
  const off = useStore(lettersOff);
  return (
    <Sheet title="Keyboard">
      <Keys of={ALWAYS} />
      <label className="row">
        <input type="checkbox" checked={!off} onChange={(event) => lettersOff.set(!event.target.checked)} />
        Single letters do something
      </label>
      <p className="dim small">
        Turn them off if you speak to your machine, or if letters are pressed by mistake. Everything can be
        reached without them.
      </p>
      {off ? null : <Keys of={LETTERS} />}
    </Sheet>
  );
}

function Keys({ of }: { readonly of: typeof ALWAYS }) {
  return (
    <dl className="keys">
      {of.map(([keys, does]) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
