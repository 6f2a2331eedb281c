import { useStore } from "../lib/store.ts";
import { allowNotify, canNotify } from "../state/notify.ts";
import { notifyMe } from "../state/settings.ts";
import { Icon } from "../ui/icon.tsx";

export function NotifyButton() {
  const on = useStore(notifyMe);
  if (!canNotify()) return null;
  async function toggle(): Promise<void> {
    notifyMe.set(!on && (await allowNotify()));
  }
  return (
    <button type="button" className="button quiet" aria-pressed={on} onClick={() => void toggle()}>
      <Icon name="bell" /> <span className="wide-only">{on ? "Notifications on" : "Notify me"}</span>
    </button>
  );
}
