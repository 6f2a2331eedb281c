import type { InboxEntry, InboxGroup } from "@fairlead/contract/inbox";
import { useAct } from "../lib/act.ts";
import { call } from "../lib/api.ts";
import { refreshInbox } from "../state/inbox.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";

/** So many are marked side by side. */
const AT_ONCE = 6;

/** All of a group as it is now, also what is not on the page. What comes meanwhile is not among it. */
async function wholeGroup(group: InboxGroup): Promise<readonly InboxEntry[]> {
  const all: InboxEntry[] = [];
  let cursor: string | null | undefined;
  do {
    const query = cursor == null ? { group } : { group, cursor };
    const page = await call("getInbox", { query });
    all.push(...page.entries.filter((entry) => entry.group === group));
    cursor = page.more[group];
  } while (cursor != null);
  return all;
}

async function markAll(group: InboxGroup): Promise<void> {
  const left = [...(await wholeGroup(group))];
  const next = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      await call("markSeen", { params: { id: one.session_id }, body: { upto_seq: one.seq } });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next)).finally(refreshInbox);
}

/** Takes a whole group out of this person's inbox. */
export function SeenAll({ group }: { readonly group: InboxGroup }) {
  const { busy, problem, act } = useAct();
  return (
    <>
      <button
        type="button"
        className="button quiet seen-all"
        disabled={busy}
        onClick={() => void act("all seen", () => markAll(group))}
      >
        <Icon name="check" /> Mark all seen
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </>
  );
}
