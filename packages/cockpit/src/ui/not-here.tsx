import type { Problem } from "../lib/api.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { Empty } from "./parts.tsx";

/** In place of a page whose subject cannot be had: why, and ways to go on. */
export function NotHere({ title, problem }: { readonly title: string; readonly problem: Problem }) {
  return (
    <Empty icon="search" title={title}>
      <p role="alert">
        {problem.message} {problem.hint}
      </p>
      <code className="tiny dim">{problem.code}</code>
      <div className="row wrap">
        <Link href={pathOf("inbox")} className="button">
          Back to the inbox
        </Link>
        <Link href={pathOf("sessions")} className="button">
          All sessions
        </Link>
      </div>
    </Empty>
  );
}
