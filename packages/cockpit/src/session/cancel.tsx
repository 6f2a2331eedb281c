import { Icon } from "../ui/icon.tsx";
import { Popover } from "../ui/popover.tsx";

/** Asked once: there is no way back to the session itself. */
export function Cancel({ busy, onCancel }: { readonly busy: boolean; readonly onCancel: () => void }) {
  return (
    <Popover
      title="Cancel"
      className="button danger"
      label={
        <>
          <Icon name="stop" /> Cancel
        </>
      }
    >
      <div className="stack">
        <p className="small">Cancel for good? It can go on only in a branch.</p>
        <button type="button" className="button danger" disabled={busy} onClick={onCancel}>
          Cancel it
        </button>
      </div>
    </Popover>
  );
}
