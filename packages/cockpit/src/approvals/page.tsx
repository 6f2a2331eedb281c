import { useStore } from "../lib/store.ts";
import { useTitle } from "../lib/title.ts";
import { inbox } from "../state/inbox.ts";
import { ConnectionHint } from "../ui/connection-hint.tsx";
import { Allowed } from "./allowed.tsx";
import { History } from "./history.tsx";

/** What was asked and decided, and what is allowed without asking. */
export function ApprovalsPage() {
  useTitle("Approvals");
  const { connection } = useStore(inbox);
  return (
    <div className="page">
      <ConnectionHint connection={connection} />
      <header className="page-head">
        <h1>Approvals</h1>
      </header>
      <Allowed />
      <History />
    </div>
  );
}
