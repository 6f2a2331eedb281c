import { Copy } from "./parts.tsx";
import { Visible } from "./visible.tsx";

/** Any value as text, as a person reads it. Text stays as it is. */
export function printed(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, null, 2) ?? "undefined";
  } catch {
    return "(nested too deep to be printed)";
  }
}

/** Shown as text, whatever it is. */
export function Code({ value, label }: { readonly value: unknown; readonly label?: string }) {
  const text = printed(value);
  return (
    <figure>
      <figcaption className="code-head">
        <span>{label}</span>
        <Copy text={text} />
      </figcaption>
      <pre className="code" tabIndex={0}>
        <Visible text={text} />
      </pre>
    </figure>
  );
}
