import { useId } from "react";
import { ASKS, MAY as MODES } from "../ui/modes.ts";
import { Choice } from "./choice.tsx";
import { useModels } from "./models.ts";

/** What a branch has otherwise than the session it leaves. Empty: as it was. */
export interface Fork {
  readonly model: string;
  readonly permission_mode: "" | keyof typeof MODES;
  readonly approval_mode: "" | keyof typeof ASKS;
  readonly instructions: string;
}
export const AS_BEFORE: Fork = { model: "", permission_mode: "", approval_mode: "", instructions: "" };

const SAME = { "": "As before" } as const;

export function ForkFields(props: { readonly fork: Fork; readonly onChange: (fork: Fork) => void }) {
  const { fork, onChange } = props;
  const id = useId();
  const models = useModels();
  return (
    <details>
      <summary className="small">Change how it works</summary>
      <div className="stack">
        <Choice
          label="Model"
          value={fork.model}
          options={{ ...models, ...SAME }}
          onChange={(model) => onChange({ ...fork, model })}
        />
        <Choice
          label="What it may do by itself"
          value={fork.permission_mode}
          options={{ ...SAME, ...MODES }}
          onChange={(permission_mode) => onChange({ ...fork, permission_mode })}
        />
        <Choice
          label="What it asks"
          value={fork.approval_mode}
          options={{ ...SAME, ...ASKS }}
          onChange={(approval_mode) => onChange({ ...fork, approval_mode })}
        />
        <div className="field">
          <label htmlFor={id}>What it is told before anything else</label>
          <textarea
            id={id}
            className="input"
            rows={3}
            placeholder="As before"
            value={fork.instructions}
            onChange={(event) => onChange({ ...fork, instructions: event.target.value })}
          />
        </div>
      </div>
    </details>
  );
}

/** Only what is to be otherwise. */
export function changesOf({ model, permission_mode, approval_mode, instructions }: Fork) {
  return {
    ...(model === "" ? {} : { model }),
    ...(permission_mode === "" ? {} : { permission_mode }),
    ...(approval_mode === "" ? {} : { approval_mode }),
    ...(instructions.trim() === "" ? {} : { instructions }),
  };
}
