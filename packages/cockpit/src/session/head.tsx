import { type Summary, type Usage, waitingOf } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore, useStorePart } from "../lib/store.ts";
import { age, clockTime, useNow } from "../lib/time.ts";
import type { Detail } from "../panels/detail.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { debugTier } from "../state/settings.ts";
import { StatusChip } from "../ui/chip.tsx";
import { Guarded } from "../ui/guarded.tsx";
import { Icon } from "../ui/icon.tsx";
import { Controls } from "./controls.tsx";
import { LimitsButton } from "./limits.tsx";
import { count, money } from "./numbers.ts";
import { healthOf } from "./health.ts";
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
  return (
    <header className="session-head">
      <div className="row head-top">
        <h1 className="ellipsis" title={visible(state.title ?? id)}>
          <Visible text={state.title ?? "Untitled session"} />
        </h1>
        <div className="row wrap head-actions">
          <Controls id={id} feed={feed} />
          {state.kind === "supervised" ? null : <LimitsButton sessionId={id} quiet />}
          <button
            type="button"
            className="button quiet"
            aria-pressed={debug}
            onClick={() => debugTier.set(!debug)}
            title="Raw events and diagnostics"
          >
            <Icon name="bug" /> <span className="wide-only">Debug {debug ? "on" : "off"}</span>
          </button>
          <button
            type="button"
            className="button quiet"
            aria-pressed={panels}
            onClick={onPanels}
            title="Details"
          >
            <Icon name="panel" /> <span className="wide-only">Details</span>
          </button>
        </div>
      </div>
      <Guarded what="part of the head" of={state}>
        <HeadFacts id={id} summary={summary} />
      </Guarded>
      <Guarded what="part of the head" of={healthOf(summary, detail)}>
        <Vitals summary={summary} detail={detail} />
      </Guarded>
    </header>
  );
}

function HeadFacts({ id, summary }: { readonly id: string; readonly summary: Summary }) {
  const { state, since, usage } = summary;
  const tokens = usage.input + usage.output + usage.earlier;
  const now = useNow();
  const parent = state.parent_session_id ?? null;
  const waiting = waitingOf(summary);
  return (
    <div className="row wrap tiny head-facts">
      {state.status === undefined ? null : (
        <StatusChip status={state.status} age={since === null ? "" : age(since, now)} />
      )}
      {waiting === null ? null : (
        <Fact name="Waits until" value={clockTime(waiting.until)} title={waiting.reason ?? WAITS_BELOW} />
      )}
      <Fact name="Model" value={state.model} />
      <Fact name="May" value={state.permission_mode?.replaceAll("_", " ")} />
      <Fact name="Asks" value={state.approval_mode?.replaceAll("_", " ")} />
      <Fact name="Cost" value={costOf(usage)} />
      <Fact name="Tokens" value={tokens === 0 ? undefined : count(tokens)} />
      {parent === null ? null : (
        <>
          <Link href={pathOf("session", { id: parent })}>Parent</Link>
          <Link href={pathOf("compare", { id, other: parent })}>Compare with parent</Link>
        </>
      )}
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
}) {
  const { name, value, title = `${name} ${value}` } = props;
  if (value === null || value === undefined || value === "") return null;
  return (
    <span className="head-fact" title={title}>
      <span className="dim">{name}</span> <span className="num">{value}</span>
    </span>
  );
}
