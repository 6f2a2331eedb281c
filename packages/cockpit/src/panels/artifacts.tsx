import type { ArtifactRow } from "@fairlead/contract";
import { worded } from "@fairlead/contract/view";
import { useEffect, useState } from "react";
import { type Problem, problemOf } from "../lib/api.ts";
import { Cut, Diff } from "../ui/diff.tsx";
import { Fold } from "../ui/fold.tsx";
import { Icon } from "../ui/icon.tsx";
import { Output } from "../ui/output.tsx";
import { Note, ProblemNote } from "../ui/parts.tsx";
import { Raw } from "../ui/raw.tsx";
import { Readable } from "../ui/readable.tsx";
import { Visible } from "../ui/visible.tsx";
import { aboutOf, isWhole, type Place, placeOf } from "./artifact.ts";
import { contentOf } from "./content.ts";
import { type Detail, rowCount } from "./detail.ts";
import { Panel } from "./panel.tsx";

export function ArtifactsPanel({ detail }: { readonly detail: Detail | null }) {
  const artifacts = detail?.session.artifacts ?? [];
  if (artifacts.length === 0) return null;
  return (
    <Panel icon="file" title="Artifacts" note={rowCount(artifacts)}>
      <ul role="list" className="plain-list">
        {artifacts.map((row) => (
          <li key={row.artifact_id}>
            <Fold
              name={`artifact ${row.artifact_id}`}
              label={
                <span>
                  <Icon name="file" /> {worded(row.kind ?? "artifact")}{" "}
                  <span className="dim tiny">
                    <Visible text={aboutOf(row)} />
                  </span>
                </span>
              }
            >
              <Made row={row} />
            </Fold>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** How it begins, or all of it for who wants that; then what is said of it. */
function Made({ row }: { readonly row: ArtifactRow }) {
  const { preview = null, content_path = null, artifact } = row;
  const { kind: _kind, id: _id, ...about } = artifact;
  const [all, setAll] = useState(false);
  const place = content_path === null || isWhole(preview) ? null : placeOf(content_path);
  return (
    <div className="stack">
      {all && place !== null ? (
        <Whole place={place} row={row} />
      ) : (
        <>
          {preview === null ? null : <Content value={preview} row={row} whole={isWhole(preview)} />}
          {place === null ? null : (
            <button type="button" className="button" onClick={() => setAll(true)}>
              Show all of it
            </button>
          )}
        </>
      )}
      <Readable value={about} />
      <Raw value={artifact} label="Artifact" />
    </div>
  );
}

/** Read when somebody wants it: a list has only how it begins. */
function Whole({ place, row }: { readonly place: Place; readonly row: ArtifactRow }) {
  const [found, setFound] = useState<{ readonly value: unknown } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    contentOf(place, gone.signal).then(
      (value) => setFound({ value }),
      (error: unknown) => gone.signal.aborted || setProblem(problemOf(error)),
    );
    return () => gone.abort();
    // An artifact that is made anew has another event.
  }, [row.event_id]);
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (found === null) return <p className="dim small">Reading all of it …</p>;
  if (found.value === undefined)
    return <Note tone="warn">It is kept in parts, and cannot be shown here as a whole.</Note>;
  return <Content value={found.value} row={row} whole />;
}

function Content(props: { readonly value: unknown; readonly row: ArtifactRow; readonly whole: boolean }) {
  const { value, row, whole } = props;
  // What is cut off in the middle of a change is no change that could be shown by lines.
  if (whole && typeof value === "string" && row.artifact["mime_type"] === "text/x-diff")
    return (
      <>
        <Diff text={value} />
        {row.artifact["truncated"] === true ? <Cut /> : null}
      </>
    );
  return <Output value={value} label={whole ? "Content" : "How it begins"} />;
}
