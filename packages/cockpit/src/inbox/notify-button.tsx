import { useState } from "react";
import { useStore } from "../lib/store.ts";
import { allowNotify, canNotify } from "../state/notify.ts";
import { notifyMe } from "../state/settings.ts";
import { Icon } from "../ui/icon.tsx";

export function NotifyButton() {
  const on = useStore(notifyMe);
  const [refused, setRefused] = useState(false);
  if (!canNotify()) return null;
  async function toggle(): Promise<void> {
    const allowed = on || (await allowNotify());
    setRefused(!allowed);
    notifyMe.set(!on && allowed);
  }
  return (
    <>
      <button type="button" className="button quiet" aria-pressed={on} onClick={() => void toggle()}>
        <Icon name="bell" /> <span className="wide-only">{on ? "Notifications on" : "Notify me"}</span>
      </button>
      <span className="small dim" role="status">
        {refused ? "Your browser does not allow it: let this page notify you in its site settings." : ""}
      </span>
    </>
  );
}
