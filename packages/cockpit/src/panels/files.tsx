import type { FileChange, FileChanges, Summary } from "@fairlead/contract/view";
import { parseDiff } from "../lib/diff.ts";
import { isByLine } from "../lib/diff-shown.ts";
import { Code } from "../ui/code.tsx";
import { Diff } from "../ui/diff.tsx";
import { Fold } from "../ui/fold.tsx";
import { Visible } from "../ui/visible.tsx";
import { howMany } from "./how-many.ts";
import { useNewest } from "./newest.tsx";
import { Panel } from "./panel.tsx";

export function FilesPanel({ summary: { files, partial } }: { readonly summary: Summary }) {
  const { shown, rest } = useNewest(files);
  if (files.length === 0) return null;
  return (
    <Panel icon="file" title="Files changed" note={howMany(files.length, partial)} open>
      <ul role="list" className="plain-list">
        {shown.map((file) => (
          <li key={file.path}>
            <FileRow file={file} />
          </li>
        ))}
      </ul>
      {rest}
    </Panel>
  );
}

function FileRow({ file: { path, changes } }: { readonly file: FileChanges }) {
  return (
    <Fold
      name={`file ${path}`}
      label={
        <span>
          <code>
            <Visible text={path} />
          </code>{" "}
          <span className="dim tiny">{changes.length === 1 ? "" : `${changes.length} changes`}</span>
        </span>
      }
    >
      {changes.map((change) => (
        <Change key={change.seq} change={change} />
      ))}
    </Fold>
  );
}

/** As a person was shown it; else, or where that says too little, what the call replaced, and by what. */
function Change({ change: { diff, before, after } }: { readonly change: FileChange }) {
  const says = diff !== null && isByLine(parseDiff(diff));
  return (
    <div className="stack">
      {diff === null ? null : <Diff text={diff} />}
      {says || before === null ? null : <Code value={before} label="Taken out" />}
      {says || after === null ? null : <Code value={after} label={before === null ? "Written" : "Put in"} />}
    </div>
  );
}
