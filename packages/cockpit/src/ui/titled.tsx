import { branchMark } from "../lib/branch-mark.ts";
import { Visible } from "./visible.tsx";

/** A title on a line. However long it is, what tells a branch from what it came from stays in sight. */
export function Titled({ text }: { readonly text: string }) {
  const [name, mark] = branchMark(text);
  if (mark === null) return <Visible text={text} />;
  return (
    <span className="titled">
      <span className="ellipsis">
        <Visible text={name} />
      </span>
      <span className="unbroken"> {mark}</span>
    </span>
  );
}
