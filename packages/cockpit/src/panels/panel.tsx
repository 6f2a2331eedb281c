import type { ReactNode } from "react";
import { Fold } from "../ui/fold.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";

/** One part of what stands beside the timeline. Folded away, it still says how much is in it. */
export function Panel(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly note?: ReactNode;
  readonly open?: boolean;
  readonly children: ReactNode;
}) {
  const { icon, title, note, open = false, children } = props;
  return (
    <Fold
      name={`panel ${title}`}
      className="panel"
      heading="h3"
      begin={open}
      label={
        <>
          <Icon name={icon} />
          <span className="grow">{title}</span>
          <span className="dim tiny num">{note}</span>
        </>
      }
    >
      <div className="panel-body">{children}</div>
    </Fold>
  );
}
