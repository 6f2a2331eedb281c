import type { Summary } from "@fairlead/contract/view";
import { clockTime } from "../lib/time.ts";
import { Copy } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import type { Detail } from "./detail.ts";
import { Facts } from "../ui/facts.tsx";
import { Panel } from "./panel.tsx";

export function AboutPanel(props: {
  readonly summary: Summary;
  readonly id: string;
  readonly detail: Detail | null;
}) {
  const {
    summary: { state },
    detail,
  } = props;
  const id = detail?.session.session_id ?? props.id;
  const at = (time: string | null | undefined) =>
    time === null || time === undefined ? null : clockTime(time);
  return (
    <Panel icon="dot" title="About" note={state.kind ?? ""}>
      <Facts
        facts={[
          ["Title", state.title == null ? null : <Visible key="title" text={state.title} />],
          ["Session", <code key="id">{id}</code>],
          ["Made by", detail?.session.created_by],
          ["Made at", at(detail?.session.created_at)],
          ["Provider", state.provider],
          ["Model", state.model],
          ["Thinks", state.think_level],
          ["Profile", state.agent_profile],
          ["Engine", state.engine],
          ["Workspace", state.workspace],
          ["Sandbox", [state.sandbox_mode, state.sandbox_isolation].filter(Boolean).join(", ")],
          [
            "Attempts",
            state.attempt_count === undefined
              ? null
              : `${state.attempt_count} of ${(state.max_retries ?? 0) + 1}`,
          ],
          ["Heartbeat", at(state.last_heartbeat_at)],
          ["Expires", at(state.expires_at)],
          ["Last error", state.last_error],
        ]}
      />
      <Copy text={id} label="Copy the id" />
    </Panel>
  );
}
