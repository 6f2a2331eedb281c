import { shownStatus, type Summary, type Usage, waitsFor } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { useState } from "react";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore, useStorePart } from "../lib/store.ts";
import { age, clockTime, useNow } from "../lib/time.ts";
import type { Detail } from "../panels/detail.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { debugTier } from "../state/settings.ts";
import { StatusChip } from "../ui/chip.tsx";
import { Guarded } from "../ui/guarded.tsx";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";
import { Controls } from "./controls.tsx";
import { HeadHint } from "./hint.tsx";
import { LimitsDialog } from "./limits.tsx";
import { More } from "./more.tsx";
import { count, money } from "./numbers.ts";
import { healthOf } from "./health.ts";
import { useOrders } from "./use-orders.ts";
import { Vitals } from "./vitals.tsx";
import { Visible } from "../ui/visible.tsx";

interface HeadProps {
  readonly feed: SessionFeed;
  readonly id: string;
  readonly detail: Detail | null;
  readonly panels: boolean;
  readonly onPanels: () => void;
}

/** What is always visible: how it stands and since when, who works, what it may do, what it costs. */
export function SessionHead(props: HeadProps) {
  // A piece of text leaves it the same object.
  const summary = useStorePart(props.feed, (value) => value.summary);
  return (
    <Guarded what="head" of={summary.state}>
      <Head {...props} summary={summary} />
    </Guarded>
  );
}

function Head({ feed, id, detail, panels, onPanels, summary }: HeadProps & { readonly summary: Summary }) {
  const { state } = summary;
  const debug = useStore(debugTier);
  const orders = useOrders(id, feed);
  const [limits, setLimits] = useState(false);
  return (
    <header className="session-head">
      <div className="row head-top">
        <h1 className="ellipsis" title={visible(state.title ?? id)}>
          <Visible text={state.title ?? (summary.seq === 0 ? "…" : "Untitled session")} />
        </h1>
        <div className="row head-actions">
          <Controls orders={orders} />
          <More id={id} state={state} orders={orders} onLimits={() => setLimits(true)} />
          <button
            type="button"
            className="button quiet"
            aria-pressed={debug}
            onClick={() => debugTier.set(!debug)}
            title="Raw events and diagnostics"
          >
            <Icon name="bug" /> <span className="roomy">Debug {debug ? "on" : "off"}</span>
          </button>
          <button
            type="button"
            className="button quiet"
            aria-pressed={panels}
            onClick={onPanels}
            title="Details"
          >
            <Icon name="panel" /> <span className="roomy">Details</span>
          </button>
        </div>
      </div>
      {limits ? <LimitsDialog sessionId={id} onClose={() => setLimits(false)} /> : null}
      {orders.problem === null ? null : <ProblemNote problem={orders.problem} />}
      <Guarded what="part of the head" of={state}>
        <HeadFacts summary={summary} debug={debug} />
      </Guarded>
      <Guarded what="part of the head" of={healthOf(summary, detail)}>
        <Vitals summary={summary} detail={detail} />
        <HeadHint summary={summary} detail={detail} />
      </Guarded>
    </header>
  );
}

function HeadFacts({ summary, debug }: { readonly summary: Summary; readonly debug: boolean }) {
  const { state, since, usage } = summary;
  const tokens = usage.input + usage.output + usage.earlier;
  const now = useNow();
  const parent = state.parent_session_id ?? null;
  const waiting = waitsFor(summary);
  return (
    <div className="row tiny head-facts">
      {state.status === undefined ? null : (
        <StatusChip
          status={shownStatus(state.status, summary.lastTurn)}
          age={since === null ? "" : age(since, now)}
        />
      )}
      {waiting === null ? null : (
        <Fact
          name="Waits until"
          value={clockTime(waiting.until)}
          title={waiting.reason ?? WAITS_BELOW}
          long
        />
      )}
      <Fact name="Model" value={state.model} long />
      <Fact name="May" value={state.permission_mode?.replaceAll("_", " ")} />
      <Fact name="Asks" value={state.approval_mode?.replaceAll("_", " ")} />
      <Fact name="Cost" value={costOf(usage)} />
      <Fact name="Tokens" value={tokens === 0 ? undefined : count(tokens)} />
      {parent === null ? null : (
        <Link className="head-fact" href={pathOf("session", { id: parent })}>
          Parent
        </Link>
      )}
      {debug ? (
        <span className="chip info">
          <Icon name="bug" /> Debug on
        </span>
      ) : null}
    </div>
  );
}

/** 0 is a price. Of calls that are not on hand nobody can say whether theirs is known. */
function costOf({ cost, calls }: Usage): string | undefined {
  if (cost !== null) return money(cost);
  return calls === 0 ? undefined : "price not known";
}

const WAITS_BELOW = "What it delegated waits.";

function Fact(props: {
  readonly name: string;
  readonly value: string | null | undefined;
  readonly title?: string;
  /** Gives way where there is no room. */
  readonly long?: boolean;
}) {
  const { name, value, title = `${name} ${value}`, long = false } = props;
  if (value === null || value === undefined || value === "") return null;
  return (
    <span className={long ? "head-fact long" : "head-fact"} title={title}>
      <span className="dim">{name}</span> <span className="num">{value}</span>
    </span>
  );
}
