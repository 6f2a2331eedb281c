import type { NoticeEntry } from "@fairlead/contract/view";
import { localTimes } from "../lib/page-words.ts";
import { slimLine } from "../lib/slim-line.ts";
import { clockTime } from "../lib/time.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Visible } from "../ui/visible.tsx";

/** Good to know, and no more: one line beside the conversation. */
export function SlimRow({ entry, icon }: { readonly entry: NoticeEntry; readonly icon: IconName }) {
  return (
    <div className={`slim row small ${entry.tone}`}>
      <Icon name={entry.tone === "good" ? "check" : icon} />
      <span className="grow">
        <Visible text={localTimes(slimLine(entry), clockTime)} />
      </span>
    </div>
  );
}
