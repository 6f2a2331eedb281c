import { Link, pathOf } from "../lib/router.tsx";
import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { Icon } from "../ui/icon.tsx";
import { Visible } from "../ui/visible.tsx";

/** What sub-agents wait for, however far below: a session whose work waits for somebody must not look as if it worked. */
export function AskedBelow({ feed }: { readonly feed: SessionFeed }) {
  const agents = useStorePart(feed, ({ summary }) => summary.subagents);
  const asked = agents.flatMap(({ agent_id, questions }) =>
    questions.map((question) => ({ agent_id, ...question })),
  );
  if (asked.length === 0) return null;
  return (
    <ul role="list" className="asked-below" aria-label="Asked by sub-agents">
      {asked.map(({ agent_id, request_id, tool_name, reason }) => (
        <li key={request_id} className="row small">
          <Icon name="hand" />
          <span className="grow ellipsis" title={reason}>
            <code>{agent_id}</code> asks about{" "}
            <code>
              <Visible text={tool_name} />
            </code>
          </span>
          <Link className="button" href={pathOf("question", { id: request_id })}>
            Decide
          </Link>
        </li>
      ))}
    </ul>
  );
}
