import { useId } from "react";

/** One of a few, each said in words. */
export function Choice<K extends string>(props: {
  readonly label: string;
  readonly value: K;
  readonly options: Readonly<Record<K, string>>;
  readonly onChange: (value: K) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        className="input"
        value={props.value}
        onChange={(event) => props.onChange(event.target.value as K)}
      >
        {(Object.keys(props.options) as K[]).map((name) => (
          <option key={name} value={name}>
            {props.options[name]}
          </option>
        ))}
      </select>
    </div>
  );
}
