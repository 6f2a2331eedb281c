import type { FileChange } from "@fairlead/contract/view";
import { useState } from "react";
import { Code } from "../ui/code.tsx";
import { Diff } from "../ui/diff.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Detail } from "./detail.ts";
import { Panel } from "./panel.tsx";
import { Visible } from "../ui/visible.tsx";

export function FilesPanel({ files }: { readonly files: readonly FileChange[] }) {
  if (files.length === 0) return null;
  return (
    <Panel icon="file" title="Files changed" note={files.length} open>
      <ul role="list" className="plain-list">
        {files.map((file) => (
          <li key={file.path}>
            <FileRow file={file} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function FileRow({ file }: { readonly file: FileChange }) {
  const [open, setOpen] = useState(false);
  const state = file.status === "ok" ? "" : file.status === null ? "not yet" : file.status;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>
          <Visible text={file.path} />
        </code>{" "}
        <span className="dim tiny">{state}</span>
      </summary>
      {open ? file.diff === null ? <Change file={file} /> : <Diff text={file.diff} /> : null}
    </details>
  );
}

/** Without a diff: what the call replaced, and by what. */
function Change({ file: { before, after } }: { readonly file: FileChange }) {
  return (
    <div className="stack">
      {before === null ? null : <Code value={before} label="Taken out" />}
      {after === null ? null : <Code value={after} label={before === null ? "Written" : "Put in"} />}
    </div>
  );
}

export function ArtifactsPanel({ detail }: { readonly detail: Detail | null }) {
  const artifacts = detail?.session.artifacts ?? [];
  if (artifacts.length === 0) return null;
  return (
    <Panel icon="file" title="Artifacts" note={artifacts.length}>
      <ul role="list" className="plain-list">
        {artifacts.map(({ artifact_id, kind, artifact }) => (
          <li key={artifact_id}>
            <details>
              <summary>
                <Icon name="file" /> {kind ?? "artifact"}{" "}
                <span className="dim tiny">
                  {String(artifact["summary"] ?? artifact["uri"] ?? artifact_id)}
                </span>
              </summary>
              {typeof artifact["diff"] === "string" ? (
                <Diff text={artifact["diff"]} />
              ) : (
                <Code value={artifact} />
              )}
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
