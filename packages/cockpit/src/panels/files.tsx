import { type FileChange, type FileChanges, worded } from "@fairlead/contract/view";
import { parseDiff } from "../lib/diff.ts";
import { isByLine } from "../lib/diff-shown.ts";
import { Code } from "../ui/code.tsx";
import { Cut, Diff } from "../ui/diff.tsx";
import { Fold } from "../ui/fold.tsx";
import { Icon } from "../ui/icon.tsx";
import { Output } from "../ui/output.tsx";
import { Raw } from "../ui/raw.tsx";
import { Readable } from "../ui/readable.tsx";
import { Visible } from "../ui/visible.tsx";
import type { Detail } from "./detail.ts";
import { Panel } from "./panel.tsx";

export function FilesPanel({ files }: { readonly files: readonly FileChanges[] }) {
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

export function ArtifactsPanel({ detail }: { readonly detail: Detail | null }) {
  const artifacts = detail?.session.artifacts ?? [];
  if (artifacts.length === 0) return null;
  return (
    <Panel icon="file" title="Artifacts" note={artifacts.length}>
      <ul role="list" className="plain-list">
        {artifacts.map(({ artifact_id, kind, artifact }) => (
          <li key={artifact_id}>
            <Fold
              name={`artifact ${artifact_id}`}
              label={
                <span>
                  <Icon name="file" /> {worded(kind ?? "artifact")}{" "}
                  <span className="dim tiny">
                    <Visible text={String(artifact["summary"] ?? artifact["uri"] ?? artifact_id)} />
                  </span>
                </span>
              }
            >
              <Artifact artifact={artifact} />
            </Fold>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Artifact({ artifact }: { readonly artifact: Readonly<Record<string, unknown>> }) {
  const diff = artifact["mime_type"] === "text/x-diff" ? artifact["content"] : artifact["diff"];
  if (typeof diff !== "string") return <Made artifact={artifact} />;
  return (
    <div className="stack">
      <Diff text={diff} />
      {artifact["truncated"] === true ? <Cut /> : null}
    </div>
  );
}

/** What a person reads of it: its text, else what is said of it. */
function Made({ artifact }: { readonly artifact: Readonly<Record<string, unknown>> }) {
  const { content, kind: _kind, id: _id, ...about } = artifact;
  return (
    <div className="stack">
      {typeof content === "string" ? <Output value={content} label="Content" /> : null}
      <Readable value={about} />
      <Raw value={artifact} label="Artifact" />
    </div>
  );
}
