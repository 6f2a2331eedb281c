import { useTitle } from "../lib/title.ts";
import { Allowed } from "./allowed.tsx";
import { History } from "./history.tsx";

/** What was asked and decided, and what is allowed without asking. */
export function ApprovalsPage() {
  useTitle("Approvals");
  return (
    <div className="page">
      <header className="page-head">
        <h1>Approvals</h1>
      </header>
      <Allowed />
      <History />
    </div>
  );
}
