import { useId, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { Popover } from "../ui/popover.tsx";

/** A person's word that the work is good, with why if they like. Two clicks: it claims what was not proven. */
export function Accept({
  busy,
  quiet = false,
  onAccept,
}: {
  readonly busy: boolean;
  /** One among other things to do. */
  readonly quiet?: boolean;
  readonly onAccept: (reason: string) => void;
}) {
  const id = useId();
  const [reason, setReason] = useState("");
  return (
    <Popover
      title="Accept the work"
      className={quiet ? "button" : "button primary"}
      label={
        <>
          <Icon name="check" /> {quiet ? "Accept…" : "Accept"}
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onAccept(reason.trim());
        }}
      >
        <p className="small">
          You have looked at it, and it is good: the session is done. What was not proven stays on record as
          that.
        </p>
        <div className="field">
          <label htmlFor={id}>Why? May be left empty.</label>
          <textarea
            id={id}
            className="input"
            rows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
        <button type="submit" className="button primary" disabled={busy}>
          It is good
        </button>
      </form>
    </Popover>
  );
}
