import { Code } from "../ui/code.tsx";
import { Visible } from "../ui/visible.tsx";

/** All arguments, each as it will be used: text with its line breaks, everything else as JSON. */
export function Arguments({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const names = Object.keys(args);
  if (names.length === 0) return <p className="dim small">Called without arguments.</p>;
  return (
    <dl className="arguments">
      {names.map((name) => (
        <div key={name}>
          <dt className="mono">
            <Visible text={name} />
          </dt>
          <dd>
            {isShort(args[name]) ? (
              <code>
                <Visible text={String(args[name])} />
              </code>
            ) : (
              <Code value={args[name]} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SHORT = 100;

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= SHORT && !value.includes("\n");
  return typeof value === "number" || typeof value === "boolean" || value === null;
}
