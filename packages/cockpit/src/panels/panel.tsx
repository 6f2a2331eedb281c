import type { ReactNode } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";

/** One part of what stands beside the timeline. Folded away, it still says how much is in it. */
export function Panel(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly note?: ReactNode;
  readonly open?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <details className="panel" open={props.open ?? false}>
      <summary className="row">
        <Icon name={props.icon} />
        <span className="grow">{props.title}</span>
        <span className="dim tiny num">{props.note}</span>
      </summary>
      <div className="panel-body">{props.children}</div>
    </details>
  );
}

/** Names and values; what is not known is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
