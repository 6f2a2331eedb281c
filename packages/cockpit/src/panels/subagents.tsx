import { type Agent, agentTree, type AgentTree, worded } from "@fairlead/contract/view";
import { Link, pathOf } from "../lib/router.tsx";
import { clockTime, duration } from "../lib/time.ts";
import { count, money } from "../session/numbers.ts";
import { Visible } from "../ui/visible.tsx";
import { Panel } from "./panel.tsx";
import { State } from "./progress.tsx";

/** Who works for whom, all the way down: how each stands, what it used, and where it works. */
export function SubagentsPanel({ agents }: { readonly agents: readonly Agent[] }) {
  if (agents.length === 0) return null;
  return (
    <Panel icon="branch" title="Sub-agents" note={agents.length} open>
      <Branches trees={agentTree(agents)} />
    </Panel>
  );
}

function Branches({ trees }: { readonly trees: readonly AgentTree[] }) {
  return (
    <ul role="list" className="plain-list agent-tree">
      {trees.map(({ agent, below }) => (
        <li key={agent.agent_id}>
          <One agent={agent} />
          {below.length === 0 ? null : <Branches trees={below} />}
        </li>
      ))}
    </ul>
  );
}

function One({ agent }: { readonly agent: Agent }) {
  const { agent_id, session_id, status, task, tokens, cost_usd, elapsed_ms, questions, until } = agent;
  const stands = until === undefined ? worded(status) : `waits until ${clockTime(until)}`;
  const name = <Visible text={agent.title ?? task ?? agent_id} />;
  const used = [
    ...(tokens === undefined ? [] : [`${count(tokens)} tokens`]),
    ...(cost_usd === undefined ? [] : [money(cost_usd)]),
    ...(elapsed_ms === undefined ? [] : [duration(elapsed_ms)]),
  ];
  return (
    <>
      <div className="row">
        <State status={status} />
        {session_id === undefined ? (
          <span className="agent-task">{name}</span>
        ) : (
          <Link className="agent-task" href={pathOf("session", { id: session_id })}>
            {name}
          </Link>
        )}
      </div>
      {agent.title === null || task === undefined ? null : (
        <div className="tiny agent-task">
          <Visible text={task} />
        </div>
      )}
      <div className="tiny dim num">
        {[agent_id, stands, ...used].join(" · ")}
        {agent.reason === undefined ? "" : `: ${agent.reason}`}
      </div>
      {questions.map(({ request_id, tool_name }) => (
        <Link key={request_id} className="small" href={pathOf("question", { id: request_id })}>
          Decide: <Visible text={tool_name} />
        </Link>
      ))}
    </>
  );
}
